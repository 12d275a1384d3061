// Dates in the reader's zone, and pages that stay current. Everything works without this file.

const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function localise(root) {
  for (const node of root.querySelectorAll("time[datetime]")) {
    const when = new Date(node.dateTime);
    if (Number.isNaN(when.getTime())) continue;
    node.title = node.textContent;
    node.textContent = zone.format(when);
  }
}

localise(document);
