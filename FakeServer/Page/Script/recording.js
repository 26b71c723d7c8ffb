// Recording: what clients ask live APIs, as contracts.

function drawRecording() {
  const { status, mayStart } = model.recording;
  const isOn = status === "recording";
  const pressed = byID("recording");
  pressed.hidden = !mayStart;
  pressed.classList.toggle("on", isOn);
  setText(pressed, isOn ? "● Stop recording" : "Record…");
  pressed.title = isOn
    ? "Writes contracts of what was passed on" : "Passes requests on to live APIs, and writes contracts";
}

function openRecorder() {
  if (model.recording.status === "recording") return stopRecording();
  setText(byID("recorder-problem"), "");
  const known = model.upstreams.map((one) => one.name);
  byID("recorder-names").replaceChildren(...known.map((value) => element("option", { value })));
  byID("recorder").showModal();
}

/** Says in the dialog what is wrong, since it covers the page. */
async function actInRecorder(work) {
  setText(byID("recorder-problem"), "");
  try {
    await work();
    byID("recorder").close();
  } catch (error) {
    setText(byID("recorder-problem"), error.message);
  }
}

const startRecording = () => actInRecorder(async () => {
  const name = byID("recorder-upstream").value.trim();
  const url = byID("recorder-url").value.trim();
  if (url && !name) throw new Error("The live API has no name: say which upstream it is.");
  const { upstreams } = await ask("POST", "/recording/start", {
    ...(name && { upstreams: { [name]: url || null } }), all: byID("recorder-all").checked,
  });
  done(`Recording ${Object.keys(upstreams).join(", ")}. Requests below its name are passed on.`);
  await refreshContracts();
});

const stopRecording = () => act(async () => {
  tellRecorded(await ask("POST", "/recording/stop"));
  await refreshContracts();
});

const takeSnapshot = () => actInRecorder(async () => tellRecorded(await ask("POST", "/recording/snapshot")));

function tellRecorded({ requests, files, unrecorded }) {
  const written = files.length ? `wrote ${files.join(", ")}` : "nothing new to write";
  if (unrecorded.length) tell(unrecorded.map((one) => `Not recorded: ${one.message}`).join("\n"));
  done(`${counted(requests, "request")} passed on; ${written}.`);
}
