"""Security headers, the content security policy, and checks of Host, lengths and Origin."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from ipaddress import IPv6Address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from digit_duel.web.http.input.validation import bad_request
from digit_duel.web.http.responses import refused
from digit_duel.web.logs import log_unforeseen
from digit_duel.web.settings import Settings

_HOST = re.compile(rb"([A-Za-z0-9._-]{1,253}|\[(?P<ipv6>[0-9A-Fa-f:.]{2,45})\])(:[0-9]{1,5})?")
_ANSWERS = ("http.response.start", "websocket.http.response.start")  # the latter refuses a handshake
_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
# Inline scripts and styles are allowed by their hashes, and only as elements, not as attributes.
_POLICY = (
    "default-src 'none'; script-src 'self'; script-src-elem 'self' {script}; style-src 'self' {style}; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


class SecurityHeaders:
    """Middleware that adds security headers to every answer."""

    def __init__(self, app: ASGIApp, settings: Settings, policy: str) -> None:
        self._app = app
        headers = {
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=()",
        }
        if settings.secure:
            headers["strict-transport-security"] = "max-age=31536000"
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, self._with_headers(send))
        except Exception as wrong:
            log_unforeseen(wrong)  # not raised again: uvicorn would log its message, which may hold a secret

    def _with_headers(self, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in _ANSWERS:
                headers = [*message.get("headers", ()), *self._headers]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        return send_with_headers


class UnambiguousRequests:
    """Middleware that refuses requests that a proxy could read in another way."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an unambiguous request on."""
        if scope["type"] == "lifespan" or _is_unambiguous(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            wrong = "Send one valid Host header, and either Content-Length or Transfer-Encoding."
            await refused(bad_request(wrong))(scope, receive, send)


def _is_unambiguous(scope: Scope) -> bool:
    """Whether a request has exactly one valid Host, from which links are made, and states one length."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    names = {name for name, _ in scope["headers"]}
    two_lengths = {b"content-length", b"transfer-encoding"} <= names  # allow request smuggling
    return len(hosts) == 1 and _is_valid_host(hosts[0]) and not two_lengths


def _is_valid_host(host: bytes) -> bool:
    """Whether a Host header is a name or an IP address, perhaps with a port."""
    found = _HOST.fullmatch(host)
    if found is None or found["ipv6"] is None:
        return found is not None
    try:
        IPv6Address(found["ipv6"].decode())
    except ValueError:
        return False
    return True


def content_security_policy(page: str) -> str:
    """The policy that allows only this server's scripts and styles, and inline ones by their hashes."""
    inline: dict[str, dict[str, None]] = {"script": {}, "style": {}}  # each hash once, in order
    for tag, text in _INLINE.findall(page):
        inline[tag][f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"] = None
    return _POLICY.format(**{tag: " ".join(hashes) for tag, hashes in inline.items()})


def same_origin(connection: HTTPConnection, settings: Settings) -> bool | None:
    """Whether a page of this server sent a request; None without an Origin header."""
    origins = connection.headers.getlist("origin")
    if not origins:
        return None
    if len(origins) > 1:
        return False
    if settings.public_url is not None:
        public = urlsplit(settings.public_url)
        return origins[0] == f"{public.scheme}://{public.netloc}"
    return origins[0] == f"http://{connection.headers.get('host', '')}"
