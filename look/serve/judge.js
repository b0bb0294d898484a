// Keys 1, 2 and 0 press the buttons of a judgement.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const button = document.querySelector(`button[name="choice"][value="${CSS.escape(event.key)}"]`);
  if (button) button.click();
});
