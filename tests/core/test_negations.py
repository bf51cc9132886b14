"""Negations of Chinese, Japanese and Korean, and of languages with blanks, as the reason why two entries are a pair."""

from __future__ import annotations

import pytest

from hoard_git.core.guards import DATE, NEGATION
from hoard_git.core.nearness import judge_pair
from hoard_git.core.negations import find_wide_negations
from hoard_git.core.wording import tokens_of

CAME_OR_WENT = [
    ("服务器不在线", "服务器在线"),
    ("他没来开会", "他来开会"),
    ("合同未签署", "合同签署"),
    ("别删除日志", "删除日志"),
    ("備份沒有完成", "備份完成"),
    ("サーバーは動いている", "サーバーは動いていない"),
    ("バックアップを取った", "バックアップを取らなかった"),
    ("テストに合格しました", "テストに合格しませんでした"),
    ("会議に出席した", "会議に出席しなかった"),
    ("この鍵は使う", "この鍵は使わず"),
    ("彼は知らぬ", "彼は知る"),
    ("ログを消します", "ログを消しません"),
    ("ログは必要だ", "ログは必要ではない"),
    ("サーバーは停止中", "サーバーは停止中ではありません"),
    ("バックアップは毎日行う", "バックアップは毎日行わない"),
    ("承認なしで公開する", "承認ありで公開する"),
    ("ノードは安全です", "ノードは不安全です"),
    ("서버가 온라인이다", "서버가 온라인이 아니다"),
    ("그는 회의에 간다", "그는 회의에 안 간다"),
    ("백업을 하지 않는다", "백업을 한다"),
    ("그는 못 온다", "그는 온다"),
    ("권한이 없다", "권한이 있다"),
    ("백업이 완료되었다", "백업이 완료되지 않았다"),
    ("로그를 삭제했습니다", "로그를 삭제하지 못했습니다"),
    ("El servidor no está en línea", "El servidor está en línea"),
    ("Nunca borres los registros", "Borres los registros siempre"),
    ("El servicio tampoco usa caché", "El servicio usa caché"),
    ("Le serveur n'est pas en ligne", "Le serveur est en ligne"),
    ("Le script ne tourne jamais la nuit", "Le script tourne la nuit"),
    ("Le coffre n'est plus ouvert", "Le coffre est ouvert"),
    ("Der Server läuft nicht", "Der Server läuft"),
    ("Der Dienst nutzt keinerlei Cache", "Der Dienst nutzt Cache"),
    ("Der Dienst ist unsicher", "Der Dienst ist sicher"),
    ("Er kommt nirgends vorbei", "Er kommt vorbei"),
    ("Der Build läuft nicht mehr", "Der Build läuft"),
    ("O servidor não está ativo", "O servidor está ativo"),
    ("O serviço nunca usa cache", "O serviço usa cache"),
    ("Nem o serviço usa cache", "O serviço usa cache"),
    ("Il server non è attivo", "Il server è attivo"),
    ("Il servizio mai usa la cache", "Il servizio usa la cache"),
    ("Il server non è più attivo", "Il server è attivo"),
    ("Il servizio neanche usa la cache", "Il servizio usa la cache"),
    ("Сервер не работает", "Сервер работает"),
    ("Он никогда не удаляет логи", "Он удаляет логи"),
    ("Сервер больше не работает", "Сервер работает"),
    ("Это невозможно сделать", "Это возможно сделать"),
    ("Сервер недоступен", "Сервер доступен"),
    ("Ничего не удалять из логов", "Удалять из логов"),
    ("De server werkt niet", "De server werkt"),
]
NO_NEGATION = [
    "特别好", "区别很大", "必ず再起動する", "まず確認する", "水を一つずつ", "わずかな差", "少ない件数", "確認しなければならない", "来るかもしれない", "非常に重要", "別の鍵",
    "끊임없이 확인한다", "안에 있다", "틀림없다", "아니면 내일", "未来的计划", "是否在线",
]  # fmt: skip


@pytest.mark.parametrize(("one", "two"), CAME_OR_WENT)
def test_a_negation_is_the_reason(one: str, two: str) -> None:
    for first, second in ((one, two), (two, one)):
        found = judge_pair(tokens_of(f"- {first}"), tokens_of(f"- {second}"), f"- {first}")
        assert found is not None
        assert found[1] == NEGATION


@pytest.mark.parametrize("text", NO_NEGATION)
def test_what_only_looks_like_one(text: str) -> None:
    assert find_wide_negations(text) == []


@pytest.mark.parametrize(
    ("one", "two"), [("Die Sitzung ist im Mai", "Die Sitzung ist im Juni"), ("Le bail finit en mai", "Le bail finit en juin")]
)
def test_may_is_a_month(one: str, two: str) -> None:
    found = judge_pair(tokens_of(one), tokens_of(two), one)
    assert found is not None
    assert found[1] == DATE


def test_two_negations_of_different_form_are_no_difference() -> None:
    one, two = "バックアップを取らなかったのは昨日です", "バックアップを取りませんでしたのは昨日です"
    found = judge_pair(tokens_of(one), tokens_of(two), one)
    assert found is None or found[1] != NEGATION
