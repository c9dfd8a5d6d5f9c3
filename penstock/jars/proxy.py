"""The proxy of the environment (`https_proxy`, `no_proxy`, macOS settings) as flags for Java.

Java by itself knows nothing of these variables, so without this pip would work and Ivy would not.
"""

from __future__ import annotations

import urllib.request
from urllib.parse import urlsplit

# Java's own default, which setting the list would replace.
_NEVER_PROXIED = ("localhost", "127.*", "[::1]")


def proxy_flags() -> tuple[str, ...]:
    """The `-D…` flags to start Java with; none where there is no proxy."""
    proxies = urllib.request.getproxies()
    flags = [flag for scheme in ("http", "https") for flag in _flags(scheme, proxies.get(scheme))]
    if flags:
        direct = "|".join((*_NEVER_PROXIED, *_java_patterns(proxies.get("no", ""))))
        flags.append(f"-Dhttp.nonProxyHosts={direct}")
    return tuple(flags)


def _flags(scheme: str, proxy: str | None) -> tuple[str, ...]:
    parts = urlsplit(proxy if proxy and "://" in proxy else f"http://{proxy or ''}")
    if not parts.hostname:
        return ()
    host = f"-D{scheme}.proxyHost={parts.hostname}"
    return (host, f"-D{scheme}.proxyPort={parts.port}") if parts.port else (host,)


def _java_patterns(no_proxy: str) -> tuple[str, ...]:
    hosts = (host.strip() for host in no_proxy.split(","))
    return tuple(f"*{host}" if host.startswith(".") else host for host in hosts if host)
