"use strict";
// Everything works without this file; it saves a few key presses.

// Arrow keys step through the lines of a file.
document.addEventListener("keydown", (event) => {
  const run = event.target.closest && event.target.closest(".run");
  if (!run || event.target !== run || event.altKey || event.ctrlKey || event.metaKey) return;
  const next = event.key === "ArrowDown" ? run.nextElementSibling : event.key === "ArrowUp" ? run.previousElementSibling : null;
  if (next) {
    event.preventDefault();
    next.focus();
  }
});

// How many actions are accepted, told as boxes are ticked.
for (const form of document.querySelectorAll("form[data-count]")) {
  const told = form.querySelector("#count");
  const boxes = form.querySelectorAll('input[name="accept"]');
  const tell = () => {
    const count = [...boxes].filter((box) => box.checked).length;
    told.textContent = `${count} of ${boxes.length} accepted`;
  };
  form.addEventListener("change", tell);
  for (const part of form.querySelectorAll("fieldset")) {
    const mine = part.querySelectorAll('input[name="accept"]');
    if (mine.length < 2) continue;
    const line = document.createElement("p");
    line.className = "ticks";
    for (const [words, checked] of [["Accept all of these", true], ["Drop all of these", false]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.textContent = words;
      button.addEventListener("click", () => {
        mine.forEach((box) => (box.checked = checked));
        tell();
      });
      line.append(button);
    }
    part.querySelector("legend").after(line);
  }
  tell();
  // A second click would send the same form again.
  form.addEventListener("submit", () => setTimeout(() => form.querySelectorAll("button").forEach((button) => (button.disabled = true))));
}
window.addEventListener("pageshow", () => document.querySelectorAll("button:disabled").forEach((button) => (button.disabled = false)));

// Results replace the old ones in place, and the status line says how many there are.
for (const form of document.querySelectorAll("form[data-live]")) {
  let last = 0;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = ++last;
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    const status = document.getElementById("status");
    status.textContent = "Searching …";
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== last) return;
      const found = page.getElementById(form.dataset.live);
      if (!found) throw new Error("an error page");
      const fresh = [...found.childNodes].filter((node) => node.id !== "status");
      document.getElementById(form.dataset.live).replaceChildren(status, ...fresh);
      status.textContent = page.getElementById("status").textContent;
      document.title = page.title;
      history.replaceState(null, "", address);
    } catch {
      location.assign(address);
    }
  });
}
