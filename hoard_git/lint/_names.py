"""Names that rules look up: HTML elements, placeholders, folders and files that agents read, keys that claim trust."""

from __future__ import annotations

ELEMENTS = frozenset({
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont", "bdi", "bdo", "bgsound",
    "big", "blink", "blockquote", "body", "button", "canvas", "caption", "center", "cite", "code", "col", "colgroup", "data",
    "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em", "embed", "fieldset", "figcaption", "figure",
    "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "html", "i",
    "iframe", "img", "input", "ins", "kbd", "label", "legend", "li", "link", "main", "map", "mark", "marquee", "math", "menu", "meta",
    "meter", "nav", "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "picture",
    "plaintext", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp", "script", "search", "section", "select", "slot", "small",
    "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template", "textarea",
    "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul", "var", "video", "xmp",
})
"""Elements of the HTML standard and the retired ones that browsers still know; all else in angle brackets is a placeholder."""

HARMLESS = frozenset({
    "br", "wbr", "hr", "kbd", "sub", "sup", "ruby", "rt", "rp",
})
"""Elements that neither structure nor hide anything."""

AMBIGUOUS = frozenset({
    "a", "address", "article", "aside", "audio", "b", "base", "body", "button", "caption", "code", "data", "del", "dir", "embed",
    "figure", "font", "footer", "form", "frame", "head", "header", "i", "input", "ins", "label", "legend", "link", "main", "map",
    "mark", "math", "menu", "meta", "meter", "nav", "object", "option", "output", "p", "param", "picture", "progress", "q", "s", "samp",
    "search", "section", "select", "slot", "small", "source", "strike", "style", "summary", "table", "template", "time", "title",
    "track", "u", "var", "video",
})
"""Names that people also write as placeholders: HTML only with an attribute or with their end tag."""

HIDING = frozenset({
    "script", "style", "template", "noscript", "noframes", "noembed", "iframe", "object", "embed", "applet", "textarea", "xmp",
    "plaintext", "title", "head", "datalist", "dialog",
})
"""Elements whose content no reader of the page sees as text."""

FOLDERS = frozenset({
    "memory", "memories", ".memory", ".memories", "mem", "memory-bank", "memory_bank", "memorybank", "agent-memory", "agent_memory",
    "long-term-memory", ".openclaw", ".claude", ".codex", ".cursor", ".clinerules", ".windsurf", ".roo", ".kilocode", ".agents",
    ".agent", ".gemini", ".letta", ".continue", "skills", "skill", ".skills", "rules", ".rules", "commands", "agents", "prompts",
})
"""Top-level folders, in lower case, that agents take instructions or memory from."""

ANYWHERE = frozenset({
    "skills", ".claude", ".cursor", ".clinerules", ".windsurf", ".agents", ".openclaw", ".codex", ".gemini", ".skills",
})
"""Folders that count at any depth."""

LOADED = frozenset({
    "MEMORY.md", "HEARTBEAT.md", "SOUL.md", "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "SKILL.md",
})
"""Files that hosts load from any folder."""

DOCS = frozenset({
    "docs", "doc", "documentation", "test", "tests", "examples", "example", "fixtures",
})
"""Folders of ordinary project pages."""

FOREIGN = frozenset({
    "node_modules", "vendor", "third_party", ".venv", "site-packages",
})
"""Folders of other people's code."""

STEMS = (
    "memory", "heartbeat", "soul", "identity", "agents", "claude", "bootstrap", "gemini", "codex", "copilot-instructions", "skill",
    "dreams", "user", "tools",
)
"""Names at the top level, without suffix, that agents load under some spelling."""

TRUST_KEYS = frozenset({
    "approved-by", "approved", "approved_by", "trust", "trusted", "trust-level", "trust_level", "trustlevel", "verified", "verified-by",
    "verified_by", "authorized", "authorised", "authorized-by", "authorised-by", "authorized_by", "authority", "confirmed",
    "confirmed-by", "confirmed_by", "consent", "reviewed-by", "reviewed_by", "signed-by", "signed_by", "owner-approved",
    "user-approved", "user_approved", "rank", "origin",
})
"""Keys of a tag that claim what only the source can give."""

FRONT_KEYS = frozenset({
    "trust", "trusted", "trust_level", "trust-level", "approved_by", "approved-by", "authority", "authorized_by", "consent",
})
"""The same in front matter."""

COMMENT_KEYS = frozenset({
    "id", "ids", "uuid", "key", "name", "slug", "ts", "ttl", "ev", "date", "day", "time", "created", "updated", "modified", "expires", "last_updated", "last_modified",
    "version", "rev", "revision", "hash", "sha", "commit", "type", "kind", "class", "category", "topic", "project", "scope", "area", "section", "status", "state",
    "priority", "importance", "confidence", "conf", "score", "weight", "rank", "count", "recalls", "keep", "tag", "tags", "label", "labels", "trigger", "triggers",
    "source", "sources", "origin", "author", "owner", "by", "from", "agent", "model", "session", "channel", "thread", "ref", "refs", "link", "links", "url", "path",
    "file", "line", "lines", "lang", "language", "title", "generated", "generated_by", "generator", "todo", "issue", "ticket", "block", "entry", "reason",
})  # fmt: skip
"""Keys, with `_` for `-`, of the `key:value` comments of note takers and memory tools; a short value behind one is data."""

LINT_RULES = frozenset({
    "blanks-around-fences", "blanks-around-headings", "blanks-around-lists", "blanks-around-tables", "code-block-style", "code-fence-style", "commands-show-output",
    "descriptive-link-text", "emphasis-style", "fenced-code-language", "first-line-h1", "first-line-heading", "heading-increment", "heading-start-left",
    "heading-style", "hr-style", "line-length", "link-fragments", "link-image-reference-definitions", "link-image-style", "list-indent", "list-marker-space",
    "no-alt-text", "no-bare-urls", "no-blanks-blockquote", "no-duplicate-heading", "no-duplicate-headings", "no-emphasis-as-heading", "no-empty-links", "no-hard-tabs",
    "no-inline-html", "no-missing-space-atx", "no-missing-space-closed-atx", "no-multiple-blanks", "no-multiple-space-atx", "no-multiple-space-blockquote",
    "no-multiple-space-closed-atx", "no-reversed-links", "no-space-in-code", "no-space-in-emphasis", "no-space-in-links", "no-trailing-punctuation",
    "no-trailing-spaces", "ol-prefix", "proper-names", "reference-links-images", "required-headings", "single-h1", "single-title", "single-trailing-newline",
    "strong-style", "table-column-count", "table-column-style", "table-pipe-style", "ul-indent", "ul-style",
    "final-newline", "list-item-indent", "list-item-spacing", "maximum-heading-length", "maximum-line-length", "no-dead-urls", "no-html", "no-undefined-references",
    "no-todo", "max-ten", "sentence-length", "terminology",
})  # fmt: skip
"""Names of the rules of markdownlint, remark-lint and textlint that a comment may switch."""

STOCK_COMMENTS = frozenset({
    "todo", "todo fill in", "todo fill this in", "todo fill in your name", "fill in", "fill this in", "fill me in", "to be filled in", "your name", "your name here",
    "add your name here", "add your notes here", "add notes here", "add notes below", "add entries here", "add entries below", "add items below", "new entries below",
    "new entries go below", "new entries above", "new entries go above", "entries below this line", "entries go here", "notes go here", "nothing here yet", "empty for now",
    "placeholder text", "replace this text", "example entry",
})  # fmt: skip
"""Notes to the writer, as words in lower case, that say nothing else."""

STOCK_DIGESTS = frozenset({
    "b46fe88e9bb6631326e2f1234f809a8f699ebf43ab374746a69a419b22f5ace2",  # HEARTBEAT.md of OpenClaw
})
"""The same for the templates of hosts: SHA-256 of the words."""
