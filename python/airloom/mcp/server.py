"""The server: it lists the tools, and answers calls of them over standard input and output."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING, Any

import anyio
import msgspec
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, ToolAnnotations
from mcp_types import Tool as Listed

from airloom import _engine
from airloom.errors import AirloomError, Mistake, MistakesError, RunError
from airloom.mcp import calls, cut, tools
from airloom.mcp.tool import arguments, result

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import CallToolRequestParams, PaginatedRequestParams

    from airloom.mcp.folder import Folder
    from airloom.mcp.tool import Tool, Words

ABOUT = " ".join(
    (
        "airloom simulates TCP over Wi-Fi, and finds causes in captures.",
        "Files are named from one folder on, out of which nothing is read or written.",
        "Begin with `check` of examples/download.toml with `resolved`, or with `schema`;",
        "write a scenario (`text` of `check`), `run` it, change a value (`settings`), `compare`.",
        "How sure a difference is says `sweep` with several seeds.",
        "Options that messages name are arguments here: --force is `force`, --set is `settings`.",
        "There is no --yes: where a message asks for it, ask for less.",
    )
)
"""What a client reads of the server."""

REFUSED = "airloom-check/1"
"""The name of the document that a command prints when it refuses something."""

SIGNALLED = 128
"""The exit code after a signal is this and the signal's number."""

KEPT = ("sweep", "fit")
"""Tools that go on from what was done when they are called again."""


class Tools:
    """The tools of a server.

    Attributes:
        folder: The folder that they may use.
        limit_s: The seconds that a call may take.
    """

    def __init__(self, folder: Folder, limit_s: float) -> None:
        """Takes both."""
        self.folder = folder
        self.limit_s = limit_s

    async def listed(
        self, context: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """All tools."""
        del context, params  # all clients see the same
        return ListToolsResult(tools=[described(name, kind) for name, kind in tools.TOOLS.items()])

    async def called(self, context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        """What came of a call: a document, or an error in words."""
        del context
        try:
            document = cut.fitting(await self.answer(params.name, params.arguments or {}))
        except (AirloomError, OSError) as error:
            text = TextContent(type="text", text=cut.clipped(in_words(error)))
            return CallToolResult(content=[text], is_error=True)
        content = TextContent(type="text", text=cut.compact(document))
        return CallToolResult(content=[content], structured_content=document)

    async def answer(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """The document of a call.

        Raises:
            AirloomError: The call makes no sense, its time is over, or its command refuses it.
        """
        tool = read(name, given)
        with anyio.move_on_after(self.limit_s) as time:
            # It may read a long file; other calls are answered meanwhile.
            commands = await anyio.to_thread.run_sync(tool.commands, self.folder)
            found = [await self.document(name, words) for words in commands]
        if time.cancelled_caught:
            kept = "; what was done is kept, and the same call goes on from there" if name in KEPT else ""
            raise RunError(
                f"{name}: stopped after {self.limit_s:g} s, the limit of a call{kept}",
                "simulate less (`duration`, fewer values), or begin the server with a higher --limit",
            )
        first, *others = found
        return {**first, **{key: value for other in others for key, value in other.items() if key not in first}}

    async def document(self, name: str, words: Words) -> dict[str, Any]:
        """What a command prints.

        Raises:
            AirloomError: It refuses.
        """
        said = await calls.command([*words, "--json"])
        try:
            found, _ = json.JSONDecoder().raw_decode(said.out.decode())
        except ValueError:
            last = said.errors.decode(errors="replace").strip().rpartition("\n")[2]
            raise RunError(f"{name}: {last.removeprefix('airloom: ') or f'ended with code {said.code}'}") from None
        if said.code and found.get("schema") == REFUSED and not (name == "check" and found["mistakes"]):
            raise refusal(found)
        return dict(found)


def read(name: str, given: dict[str, Any]) -> Tool:
    """A call, with its arguments as their types have them.

    Raises:
        RunError: There is no such tool, or an argument is wrong.
    """
    if name not in tools.TOOLS:
        raise RunError(f"no tool is called {name!r}", f"there are {', '.join(tools.TOOLS)}")
    try:
        return msgspec.convert(given, tools.TOOLS[name])
    except msgspec.ValidationError as error:
        takes = ", ".join(tools.TOOLS[name].__struct_fields__)
        raise RunError(f"{name}: {error}", f"it takes {takes}") from None


def in_words(error: AirloomError | OSError) -> str:
    """What is wrong; of a disk that is full or a folder that nobody may write into, what the system says."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    return str(error)


def refusal(found: dict[str, Any]) -> AirloomError:
    """What a command refused, as an error."""
    if found["mistakes"]:
        return MistakesError([Mistake(**one) for one in found["mistakes"]])
    return AirloomError(*found["message"].split("\n  "))


def described(name: str, kind: type[Tool]) -> Listed:
    """A tool as a client lists it."""
    return Listed(
        name=name,
        description=" ".join((kind.__doc__ or "").split()),
        input_schema=arguments(kind),
        output_schema=result(kind),
        annotations=ToolAnnotations(
            read_only_hint=not kind.WRITES, destructive_hint=kind.WRITES, open_world_hint=False
        ),
    )


async def serve(folder: Folder, limit_s: float) -> None:
    """Serves one client until it closes standard input."""
    served = Tools(folder, limit_s)
    server: Server[Any] = Server(
        "airloom",
        version=_engine.version(),
        title="airloom: a laboratory for TCP over Wi-Fi",
        instructions=ABOUT,
        on_list_tools=served.listed,
        on_call_tool=served.called,
    )
    async with anyio.create_task_group() as both:
        both.start_soon(leave)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        both.cancel_scope.cancel()


async def leave() -> None:
    """Waits for a signal that ends the server, and ends it with the commands that run.

    At once: what reads standard input waits in a thread for a line, and no cancellation reaches that.
    """
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for number in signals:
            await calls.end_all()
            os._exit(SIGNALLED + number)
