"""What the app uses of Streamlit that Streamlit does not document. All of it is named here, each with its reason.

Another version of Streamlit may move or change any of it. So the requirements pin one version, and a newer one is tried
with this list. A test holds that no other file of the app imports such a name.

    config, net_util, allowlisted_origins,    from which origins a request may come: the answer of Streamlit's own
    is_host_allowed                           connection
    get_script_run_ctx                        the visitor in whose thread code runs, and whether "back" led to the page
    runtime, MemoryUploadedFileManager        which visitors are connected, and what each has uploaded
    UploadedFile, DeletedFile                 what a file menu returns
    BackMsg, ForwardMsg                       the messages of browser and server: an answer is wanted, begins, ends
    script_runner, ScriptRequests,            the thread of an answer, and messages to it: `whole_answers` puts a class
    ScriptRequest, ScriptRequestType,         of its own in the place of `ScriptRequests`, and reads its `_state`
    RerunData
    SessionState, WStates                     the values of widgets, and how they are counted through: `steady_values`;
                                              which of them a message has changed: `other_fragments`
    FragmentHandledException                  what an inner fragment raises in place of an error that is logged already
"""

from streamlit import config, net_util, runtime
from streamlit.errors import FragmentHandledException
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx, script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequest,
    ScriptRequests,
    ScriptRequestType,
)
from streamlit.runtime.state.session_state import SessionState, WStates
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile
from streamlit.web.server.server_util import allowlisted_origins
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

__all__ = [
    "BackMsg",
    "DeletedFile",
    "ForwardMsg",
    "FragmentHandledException",
    "MemoryUploadedFileManager",
    "RerunData",
    "ScriptRequest",
    "ScriptRequestType",
    "ScriptRequests",
    "SessionState",
    "UploadedFile",
    "WStates",
    "allowlisted_origins",
    "config",
    "get_script_run_ctx",
    "is_host_allowed",
    "net_util",
    "runtime",
    "script_runner",
]
