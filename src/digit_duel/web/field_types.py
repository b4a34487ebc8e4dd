"""The types and limits of every field that a client may send.

Requests are validated against these types, and the OpenAPI document is generated from them. A description
completes the sentence "'field' must be ...".
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

_END = r"$(?!\n)"  # Python's $ also matches before a final newline, JavaScript's does not

Version: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
ClientId: TypeAlias = Annotated[
    str, Meta(pattern=rf"^[A-Za-z0-9_.:-]{{1,64}}{_END}", description="1 to 64 letters, digits, or _ . : -")
]
Seed: TypeAlias = Annotated[
    str,
    Meta(
        pattern=rf"^([0-9a-f]{{2}}){{0,32}}{_END}",
        description="at most 64 hexadecimal digits in lower case, two for each byte",
    ),
]
Attempt: TypeAlias = Annotated[
    str,
    Meta(
        pattern=rf"^[0-9a-f]{{32,64}}{_END}",
        description="32 to 64 random hexadecimal digits that nobody else knows",
    ),
]
Notation: TypeAlias = Annotated[str, Meta(max_length=20)]
TypedMove: TypeAlias = Annotated[str, Meta(max_length=100)]
Minutes: TypeAlias = Annotated[int, Meta(ge=1, le=180)]

Opponent: TypeAlias = Literal["computer", "friend", "same_device"]
OfferKind: TypeAlias = Literal["takeback", "rematch", "clock"]
Start: TypeAlias = Literal["me", "other", "coin"]

GameId: TypeAlias = Annotated[str, Meta(max_length=40)]
VariantId: TypeAlias = Annotated[str, Meta(max_length=40)]
Settings: TypeAlias = Annotated[
    dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=100)]], Meta(max_length=20)
]
Level: TypeAlias = Annotated[str, Meta(max_length=20)]
Cursor: TypeAlias = Annotated[
    str,
    Meta(pattern=rf"^[0-9]{{1,16}}\.[A-Za-z0-9_-]{{1,40}}{_END}", description="the 'next' of a page before"),
]
MatchRule: TypeAlias = Annotated[
    str,
    Meta(
        pattern=rf"^(best of|first to) [1-9][0-9]?{_END}",
        description="like 'best of 3' or 'first to 3', up to 99",
    ),
]
PlayerName: TypeAlias = Annotated[str, Meta(max_length=1000)]
InviteSecret: TypeAlias = Annotated[str, Meta(max_length=100)]
DeviceCode: TypeAlias = Annotated[str, Meta(max_length=40)]
MoveList: TypeAlias = Annotated[list[Notation], Meta(max_length=200)]
