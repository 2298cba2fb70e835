// Makes the drawings of a page answer: values under the pointer or at the arrow keys, and curves
// that a click on the legend hides. Without it the page is as complete, only silent.
"use strict";

/** Curves of a drawing: name, and per point its place (shares of the drawing) and its values. */
const curvesOf = (figure) => JSON.parse(figure.dataset.curves);

const number = (value) => String(Number(value.toPrecision(4)));

function answering(figure) {
  const curves = curvesOf(figure);
  const places = [...new Set(curves.flatMap((curve) => curve.at.map(([left]) => left)))]
    .sort((a, b) => a - b);
  const drawing = figure.querySelector(":scope > svg");
  const guide = document.createElement("i");
  const values = document.createElement("output");
  guide.className = "guide";
  values.className = "values";
  figure.append(guide, values);
  figure.tabIndex = 0;
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", "Values at the arrow keys");
  let at = -1;

  function hide() {
    at = -1;
    guide.hidden = values.hidden = true;
  }

  function show(place) {
    at = place;
    const left = places[place];
    const shown = curves
      .filter((curve) => !figure.querySelector(`[data-curve="${curve.number}"].off`))
      .flatMap((curve) => {
        const point = curve.at.find(([one]) => one === left);
        return point ? [{ curve, point }] : [];
      })
      .sort((a, b) => b.point[3] - a.point[3]);
    if (shown.length === 0) return hide();
    const { width, height } = drawing.getBoundingClientRect();
    const top = drawing.getBoundingClientRect().top - figure.getBoundingClientRect().top;
    guide.style.left = `${left * width}px`;
    guide.style.top = `${top}px`;
    guide.style.height = `${height}px`;
    const head = document.createElement("b");
    head.textContent = `${figure.dataset.x} ${number(shown[0].point[2])}`;
    values.replaceChildren(head, ...shown.map(({ curve, point }) => {
      const line = document.createElement("span");
      line.style.borderColor = curve.color;
      line.textContent = `${curve.name}: ${number(point[3])}`;
      return line;
    }));
    guide.hidden = values.hidden = false;
    // Beside the guide, on the side that has room.
    const beside = left < 0.5 ? left * width + 10 : left * width - values.offsetWidth - 10;
    values.style.left = `${Math.max(0, Math.min(beside, width - values.offsetWidth))}px`;
    values.style.top = `${top + 8}px`;
  }

  function near(event) {
    const box = drawing.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    let best = 0;
    places.forEach((place, i) => {
      if (Math.abs(place - share) < Math.abs(places[best] - share)) best = i;
    });
    show(best);
  }

  drawing.addEventListener("pointermove", near);
  drawing.addEventListener("pointerdown", near);
  drawing.addEventListener("pointerleave", hide);
  figure.addEventListener("blur", hide);
  figure.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") hide();
    if (!by) return;
    event.preventDefault();
    show(Math.min(places.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : places.length - 1) : at + by)));
  });
  hide();
}

/** Turn the entries of a legend into switches for their curves in all drawings of a figure. */
function switching(article) {
  article.querySelectorAll(".legend li").forEach((entry, place) => {
    const parts = article.querySelectorAll(`[data-curve="${place}"]`);
    if (parts.length === 0) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...entry.childNodes);
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      parts.forEach((part) => part.classList.toggle("off", !on));
    });
    entry.append(button);
  });
}

document.querySelectorAll("figure[data-curves]").forEach(answering);
document.querySelectorAll("article").forEach(switching);
