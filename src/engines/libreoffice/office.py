"""
Keeps one LibreOffice running and converts documents with it, one after the other.

Started with the folder of the programs of LibreOffice and that of a prepared profile. The two talk over a Unix socket
that nobody else can find. Reads requests from standard input and answers on standard output, both a line of JSON each;
ends, and the office with it, when the input ends.
"""

import ctypes
import json
import os
import secrets
import signal
import subprocess
import sys
import time

import uno
import unohelper
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException
from com.sun.star.lang import DisposedException
from com.sun.star.task import XInteractionHandler2

START_SECONDS = 120
# The office asks to be started again after it has looked through its extensions.
RESTART_CODES = (79, 81)
SERVICES = {
    "text": "com.sun.star.text.TextDocument",
    "slides": "com.sun.star.presentation.PresentationDocument",
    "sheets": "com.sun.star.sheet.SpreadsheetDocument",
}


class Refuser(unohelper.Base, XInteractionHandler2):
    """Answers no question of the office, and remembers whether one was about a password."""

    def __init__(self):
        self.encrypted = False

    def handle(self, request):
        self.handleInteractionRequest(request)

    def handleInteractionRequest(self, request):
        name = type(request.getRequest()).__name__
        self.encrypted = self.encrypted or "Password" in name
        return False


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def start_office(programs, pipe):
    return subprocess.Popen(
        [
            os.path.join(programs, "soffice.bin"),
            "--headless",
            "--invisible",
            "--nodefault",
            "--nologo",
            "--norestore",
            "--nolockcheck",
            f"--accept=pipe,name={pipe};urp",
            "-env:UserInstallation=" + uno.systemPathToFileUrl(os.getcwd()),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        preexec_fn=die_with_parent,
    )


def connect(programs):
    """The process of a new office, and what makes its documents."""
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    pipe = secrets.token_hex(16)
    office = start_office(programs, pipe)
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            remote = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            close_doors(office.pid)
            return office, remote.ServiceManager
        except NoConnectException:
            code = office.poll()
            if code in RESTART_CODES:
                office = start_office(programs, pipe)
            elif code is not None:
                raise SystemExit(f"the office ended with {code}")
            time.sleep(0.02)
    raise SystemExit("the office does not answer")


def close_doors(pid):
    """Takes the names of its sockets away: they lie where others may look, and nobody else is to find the office."""
    held = set()
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        try:
            held.add(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
        except OSError:
            pass
    with open("/proc/net/unix") as sockets:
        for line in sockets:
            fields = line.split()
            if len(fields) == 8 and "/OSL_PIPE_" in fields[7] and f"socket:[{fields[6]}]" in held:
                # A connection has the name of its socket too, and comes after it.
                if os.path.exists(fields[7]):
                    os.unlink(fields[7])


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def close(document):
    try:
        document.close(True)
    except DisposedException:
        raise
    except Exception:
        document.dispose()


def convert(services, request):
    """Converts one file; answers why not where the office refuses it, fails where the office is gone."""
    refuser = Refuser()
    try:
        document = load(services, request, refuser)
    except DisposedException:
        raise
    except Exception as error:
        return {"outcome": "encrypted" if refuser.encrypted else "unreadable", "detail": str(error)}
    try:
        if request["kind"] == "text" and request["window"]:
            prepare_layout(services, document, request)
        for output in request["outputs"]:
            target = uno.systemPathToFileUrl(output["path"])
            data = uno.Any("[]com.sun.star.beans.PropertyValue", properties(**output.get("filterData", {})))
            document.storeToURL(target, properties(FilterName=output["filter"], FilterData=data, Overwrite=True))
        return {"outcome": "done", "detail": ""}
    except DisposedException:
        raise
    except Exception as error:
        return {"outcome": "failed", "detail": str(error)}
    finally:
        close(document)


def load(services, request, refuser):
    """Reads the file into a new document, which has no window."""
    given = {"Password": request["password"]} if request["password"] else {}
    document = services.createInstance(SERVICES[request["kind"]])
    try:
        document.load(
            properties(
                URL=uno.systemPathToFileUrl(request["input"]),
                FilterName=request["importFilter"],
                Hidden=True,
                ReadOnly=True,
                # Neither macros nor links: NEVER_EXECUTE, NO_UPDATE.
                MacroExecutionMode=0,
                UpdateDocMode=0,
                InteractionHandler=refuser,
                **given,
            )
        )
        return document
    except DisposedException:
        raise
    except Exception:
        close(document)
        raise


def open_window(services, document):
    desktop = services.createInstance("com.sun.star.frame.Desktop")
    desktop.loadComponentFromURL("private:object", "_blank", 0, properties(Model=document, Hidden=True))


def prepare_layout(services, document, request):
    """
    Opens a window where that can be done: what hangs on a page, and embedded objects, come out only of text that was
    laid out. An office without a screen lacks what a comment in the margin is made of, and would end at the first one.
    """
    comments = list_comments(document)
    if any(output["filter"] == "writer_pdf_Export" for output in request["outputs"]):
        for comment in comments:
            comment.dispose()
    elif comments:
        return
    open_window(services, document)


def list_comments(document):
    fields = document.getTextFields().createEnumeration()
    found = []
    while fields.hasMoreElements():
        field = fields.nextElement()
        if field.supportsService("com.sun.star.text.textfield.Annotation"):
            found.append(field)
    return found


def say(message):
    print(json.dumps(message), flush=True)


def main():
    # Also in the middle of a conversion, when nobody looks at the input.
    die_with_parent()
    os.chdir(sys.argv[2])
    office, services = connect(sys.argv[1])
    say({"officePid": office.pid})
    try:
        for line in sys.stdin:
            say(convert(services, json.loads(line)))
    finally:
        office.kill()


main()
