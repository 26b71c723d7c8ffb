// The editor of a contract: what it replaces, what is wrong with it, and serving it.

/** The contract that was opened, its text as the server had it then, and what the editor began with. */
let opened = { id: null, source: "", text: "" };

const editedID = () => `${byID("editor-upstream").value}/${byID("editor-name").value}`;

function edit(id, text, openedID, source = text) {
  opened = { id: openedID, source, text };
  [byID("editor-upstream").value, byID("editor-name").value] = id.split("/");
  byID("editor-text").value = text;
  byID("editor-save").hidden = !model.saves;
  setText(byID("editor-problem"), "");
  checkNumber += 1;
  drawDiagnostics([]);
  drawEditorNote();
  byID("editor").showModal();
}

/** Whether the editor may be closed. */
const mayLoseText = () =>
  byID("editor-text").value === opened.text || confirm("Close and lose your changes?");

function drawEditorNote() {
  const id = editedID();
  const other = id === opened.id ? null : contractOf(id);
  setText(byID("editor-note"), other ? `Replaces ${id}, ${counted(other.cases.length, "case")}.`
    : "Responds before the contracts in files, until a reset.");
}

/** Serves what the editor has, with the case that is new in it, and writes it to a file if asked to. */
async function serveEdited(isSaved) {
  const id = editedID();
  const source = byID("editor-text").value;
  const isOpened = id === opened.id;
  setText(byID("editor-problem"), "");
  const pressed = byID(isSaved ? "editor-save" : "editor-serve");
  pressed.disabled = true;
  try {
    if (isOpened && await sourceOf(id) !== opened.source) {
      throw new Error(`${id} has changed since it was opened here. Copy your text, and open it again.`);
    }
    const known = contractOf(id)?.cases.map((one) => one.name);
    const { cases } = await ask("PUT", contractPath(id), source);
    opened = { id, source, text: source };
    const added = isOpened && cases.find((one) => !known.includes(one.name));
    if (added) await ask("PUT", contractPath(id, "/case"), { case: added.name });
    await refreshContracts();
    openContract(id);
    if (isSaved) await saveContract(id);
    else done(`${id} is served.`);
    byID("editor").close();
  } catch (error) {
    setText(byID("editor-problem"), error.message);
  } finally {
    pressed.disabled = false;
    if (document.activeElement === document.body) pressed.focus();
  }
}

async function saveContract(id) {
  try {
    const { file } = await ask("POST", contractPath(id, "/save"));
    done(`Saved ${file}.`);
  } catch (error) {
    throw new Error(`${id} is served, but not saved: ${error.message}`);
  }
}

