"use strict";
(function () {
  const $ = (id) => document.getElementById(id);
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const data = JSON.parse($("data").textContent);
  const count = data.sigla.length;
  const articles = all(".locus");
  const tools = $("tools");
  if (!articles.length) return;
  tools.hidden = false;
  tools.addEventListener("submit", (event) => event.preventDefault());
  const kindBoxes = all("#kinds input[name=k]");
  const witBoxes = all("#wit input");
  const sheet = document.head.appendChild(document.createElement("style"));
  const LISTED = 24;
  const MOST = 6, LEAST = Math.min(2, count);
  const ACCIDENTAL = ["punctuation", "capital", "spelling", "abbreviation", "division", "number", "ocr"];

  // What the reader chose: all of it stands in the address.
  const start = { base: data.base, shown: first(data.base), hidden: [], rule: false, find: "" };
  let choice = Object.assign({}, start);
  let anchor = "";

  function first(base) {
    const others = data.sigla.map((_, k) => k).filter((k) => k !== base);
    return [base].concat(others.slice(0, Math.min(2, others.length))).sort((a, b) => a - b);
  }

  function say(words) { $("said").textContent = words; }

  // ------------------------------------------------------------------ the address
  function address() {
    const parts = [];
    const names = (list) => list.map((k) => data.sigla[k]).join(",");
    if (choice.base !== start.base) parts.push("base=" + data.sigla[choice.base]);
    if (names(choice.shown) !== names(start.shown)) parts.push("witnesses=" + names(choice.shown));
    if (choice.hidden.length) parts.push("without=" + choice.hidden.join(","));
    if (choice.rule) parts.push("changes=rule");
    if (choice.find) parts.push("find=" + encodeURIComponent(choice.find));
    return "#" + [anchor].concat(parts).join(";");
  }

  function parsed(hash) {
    const [id, ...parts] = hash.replace(/^#/, "").split(";");
    const found = Object.assign({}, start, { shown: start.shown, hidden: [] });
    for (const part of parts) {
      const at = part.indexOf("=");
      const name = part.slice(0, at), value = part.slice(at + 1);
      if (name === "base" && data.sigla.includes(value)) found.base = data.sigla.indexOf(value);
      if (name === "witnesses") {
        const own = value.split(",").map((s) => data.sigla.indexOf(s)).filter((k) => k >= 0);
        if (own.length >= LEAST) found.shown = Array.from(new Set(own)).sort((a, b) => a - b).slice(0, MOST);
      }
      if (name === "without") found.hidden = value.split(",").filter((v) => kindBoxes.some((b) => b.dataset.kind === v));
      if (name === "changes") found.rule = value === "rule";
      if (name === "find") { try { found.find = decodeURIComponent(value); } catch { found.find = value; } }
    }
    return [id, found];
  }

  function keep() { history.replaceState(null, "", address()); }

  function arrive() {
    [anchor, choice] = parsed(location.hash);
    show();
    const place = anchor && document.getElementById(anchor);
    if (place) go(place);
  }

  // Brings a place before the reader; an entry of the apparatus is lit, and its place in the text shown.
  function go(place) {
    for (let d = place.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    const article = place.closest(".locus");
    if (article) article.classList.remove("off");
    const cell = place.closest(".wit");
    if (cell) bring(Number(cell.className.match(/\bw(\d+)/)[1]));
    place.scrollIntoView();
    if (!place.matches(".u")) return;
    light((held = place));
    const words = all(`.v[data-u="${place.dataset.u}"]`, article).find((e) => e.offsetParent);
    (words || place).scrollIntoView({ block: "center" });
  }

  // A place in an edition that is not shown: the edition comes in, for the last one where there are six.
  function bring(witness) {
    if (choice.shown.includes(witness)) return;
    const kept = choice.shown.length < MOST ? choice.shown : choice.shown.filter((k) => k === choice.base).concat(
      choice.shown.filter((k) => k !== choice.base).slice(0, MOST - 2));
    choice.shown = kept.concat(witness).sort((a, b) => a - b);
    show();
    keep();
    say(`${data.sigla[witness]} is now shown`);
  }

  // ---------------------------------------------------------------- base, witnesses, kinds
  function show() {
    $("base").value = choice.base;
    for (const box of witBoxes) {
      const k = Number(box.value);
      box.checked = choice.shown.includes(k);
      box.disabled = box.checked ? choice.shown.length <= LEAST : choice.shown.length >= MOST;
    }
    for (const box of kindBoxes) box.checked = !choice.hidden.includes(box.dataset.kind);
    $("rule").checked = choice.rule;
    $("find").value = choice.find;
    $("chosen").textContent = choice.shown.length + " of " + count;
    const off = data.sigla.map((_, k) => k).filter((k) => !choice.shown.includes(k));
    let rules = off.map((k) => `.texts .w${k}{display:none}`).join("");
    rules += `.texts{--n:${choice.shown.length}}`;
    rules += kindBoxes.filter((b) => !b.checked).map((b) =>
      `.v.k${b.value}{text-decoration:none;cursor:auto}.v.o.k${b.value}::before{content:""}.u.k${b.value}{display:none}`).join("");
    sheet.textContent = rules;
    const shown = new Set(choice.shown.map(String));
    let units = 0;
    for (const unit of all(".u")) {
      let seen = 0;
      for (const reading of unit.querySelectorAll(".r")) {
        const own = reading.dataset.w.split(" ");
        const named = own.filter((w) => shown.has(w));
        const here = named.length > 0;
        const sigla = reading.lastElementChild.firstChild;
        const names = named.map((w) => data.sigla[w]).join(" ");
        if (sigla.data !== names) sigla.data = names;
        reading.classList.toggle("off", !here);
        const lemma = own.includes(String(choice.base));
        if (lemma !== reading.classList.contains("lem")) reading.classList.toggle("lem", lemma);
        if (lemma && reading.previousElementSibling.matches(".r")) unit.insertBefore(reading, unit.querySelector(".r"));
        if (here) seen += 1;
      }
      if (seen >= 2) units += 1;
      if (unit.classList.contains("off") === seen < 2) continue;
      unit.classList.toggle("off", seen < 2);
      for (const words of placesOf(unit)) words.classList.toggle("off", seen < 2);
    }
    $("kept").textContent = choice.hidden.length ? kindBoxes.length - choice.hidden.length + " of " + kindBoxes.length : "all";
    paint();
    sift();
    return units;
  }

  // The words of an entry in all texts, looked up once a law.
  const known = new WeakMap();
  function placesOf(unit) {
    const article = unit.closest(".locus");
    if (!known.has(article)) {
      const own = {};
      for (const words of article.querySelectorAll(".v")) (own[words.dataset.u] = own[words.dataset.u] || []).push(words);
      known.set(article, own);
    }
    return known.get(article)[unit.dataset.u] || [];
  }

  function likeness(row, a, b) {
    if (a === b) return 100;
    const [low, high] = a < b ? [a, b] : [b, a];
    return row[low * count - (low * (low + 1)) / 2 + high - low - 1];
  }

  let painted = data.base;
  function paint() {
    all(".grid thead th").forEach((th) => th.classList.toggle("isbase", th.classList.contains("w" + choice.base)));
    if (painted === choice.base) return;
    painted = choice.base;
    $("grid_base").textContent = data.sigla[choice.base];
    all(".grid tbody tr").forEach((tr, n) => {
      const own = all(".c", tr);
      const has = own[choice.base].querySelector("a");
      own.forEach((cell, k) => {
        if (!cell.querySelector("a")) return;
        const share = has ? likeness(data.likeness[n], choice.base, k) : -1;
        const step = share < 0 ? "x" : data.moons.findIndex(([least]) => share >= least);
        cell.className = `c s${step} w${k}`;
        cell.querySelector("i").firstChild.data = share < 0 ? "" : data.moons[step][1] + " ";
        cell.querySelector("small").textContent = share < 0 ? "" : share;
      });
    });
  }

  // ------------------------------------------------------------------------- search
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ſ/g, "s").replace(/[’‘]/g, "'").toLowerCase();
  let texts = null;
  function lawsOf(cell) {
    return all(".law", cell).map((law) => ({
      id: law.id,
      number: law.querySelector(".no").firstChild.data.trim(),
      words: fold(law.textContent).replace(/\s+/g, " "),
    }));
  }
  function sift() {
    const wanted = fold(choice.find.trim()).replace(/\s+/g, " ");
    if (wanted && !texts) texts = articles.map((a) => all(".wit", a).map(lawsOf));
    const having = (n, k) => texts[n][k].filter((law) => law.words.includes(wanted));
    let hits = 0;
    articles.forEach((article, n) => {
      const found = !wanted || choice.shown.some((k) => having(n, k).length);
      const keepIt = found && (!choice.rule || article.dataset.rule !== "0");
      article.classList.toggle("off", !keepIt);
      if (keepIt) hits += 1;
    });
    mark(wanted);
    where(wanted && data.sigla.map((_, k) => articles.flatMap((_, n) => having(n, k))));
    if (wanted || choice.rule) say(`${hits} of ${articles.length} laws`);
    else say("");
  }

  // Which editions have the words, the oldest first, and in which laws: also those that are not shown.
  function where(found) {
    const box = $("where");
    box.textContent = "";
    box.hidden = !found;
    if (!found) return;
    const put = (parent, tag, words) => {
      const made = parent.appendChild(document.createElement(tag));
      made.textContent = words;
      return made;
    };
    const have = data.sigla.map((_, k) => k).filter((k) => found[k].length);
    const named = (list) => list.map((k) => data.sigla[k]).join(", ");
    const dated = have.filter((k) => data.years[k]), undated = have.filter((k) => !data.years[k]);
    const oldest = dated.filter((k) => data.years[k] === data.years[dated[0]]);
    let words = `No edition has “${choice.find.trim()}”.`;
    if (dated.length) words = `“${choice.find.trim()}” stands first in ${named(oldest)}, ${data.years[dated[0]]}.`;
    else if (have.length) words = `“${choice.find.trim()}” stands in ${named(have)}; which was first is not known.`;
    if (dated.length && undated.length) words += ` Also in ${named(undated)}, undated.`;
    put(box, "p", words);
    if (!have.length) return;
    const list = put(box, "ul", "");
    for (const k of have) {
      const line = put(list, "li", "");
      put(line, "b", data.sigla[k]);
      const laws = found[k];
      line.append(` ${data.years[k] || "n. d."} · ${laws.length} law${laws.length === 1 ? "" : "s"}: `);
      laws.slice(0, LISTED).forEach((law, n) => {
        if (n) line.append(", ");
        put(line, "a", law.number).href = "#" + law.id;
      });
      if (laws.length > LISTED) line.append(" …");
    }
    const lacking = data.sigla.map((_, k) => k).filter((k) => !found[k].length);
    if (lacking.length) put(box, "p", `Not in ${named(lacking)}.`);
  }

  function mark(wanted) {
    if (!window.CSS || !CSS.highlights) return;
    CSS.highlights.delete("found");
    if (!wanted) return;
    const ranges = [];
    for (const article of articles) {
      if (article.classList.contains("off") || ranges.length > 2000) continue;
      for (const k of choice.shown) for (const p of article.querySelectorAll(`.w${k} .law p`)) {
        if (fold(p.textContent.replace(/\s+/g, " ")).includes(wanted)) marked(p, wanted, ranges);
      }
    }
    if (ranges.length) CSS.highlights.set("found", new Highlight(...ranges));
  }

  // A folded text can be longer or shorter than the text: letters are folded one by one, each with its place.
  const letters = new Map();
  function foldOne(letter) {
    if (!letters.has(letter)) letters.set(letter, fold(letter));
    return letters.get(letter);
  }
  function marked(paragraph, wanted, ranges) {
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    const places = [];
    let flat = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let k = 0; k < node.data.length; k++) {
        const letter = foldOne(node.data[k]);
        if (/\s/.test(letter) && flat.endsWith(" ")) continue;
        for (const one of letter) { flat += /\s/.test(one) ? " " : one; places.push([node, k]); }
      }
    }
    for (let at = flat.indexOf(wanted); at >= 0; at = flat.indexOf(wanted, at + 1)) {
      const range = new Range();
      range.setStart(...places[at]);
      const [node, k] = places[at + wanted.length - 1];
      range.setEnd(node, k + 1);
      ranges.push(range);
    }
  }

  // ------------------------------------------------------------ the same place in all editions
  let lit = [];
  let held = null;
  function light(place) {
    lit.forEach((e) => e.classList.remove("lit"));
    lit = [];
    const article = place && place.closest(".locus");
    if (!article) return;
    lit = all(`[data-u="${place.dataset.u}"]`, article);
    lit.forEach((e) => e.classList.add("lit"));
  }
  const placeOf = (target) => target.closest && target.closest("[data-u]");
  const main = document.querySelector("main");
  main.addEventListener("pointerover", (event) => { const p = placeOf(event.target); if (p) light(p); else if (lit.length) light(held); });
  main.addEventListener("focusin", (event) => { const p = placeOf(event.target); if (p) light((held = p)); });
  main.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place) { held = null; return light(null); }
    light((held = place));
    if (place.matches(".v")) {
      const entry = place.closest(".locus").querySelector(`.u[data-u="${place.dataset.u}"]`);
      if (entry) say("Apparatus " + entry.innerText.replace(/\s+/g, " "));
    }
  });
  // Words on which all agree stand between the same two places of difference, the same number of words after the first.
  const WORD = /[\p{L}\p{N}]+/gu;
  function* wordsOf(cell) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    let last = 0, n = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.matches(".v")) [last, n] = [node.dataset.u, 0];
      } else if (node.parentNode.matches(".law>p:not(.sec,.note,.gap)")) {
        for (const word of node.data.matchAll(WORD)) yield { node, start: word.index, end: word.index + word[0].length, key: `${last}:${n++}` };
      }
    }
  }
  function wordAt(x, y) {
    const at = document.caretPositionFromPoint ? document.caretPositionFromPoint(x, y) : document.caretRangeFromPoint(x, y);
    const node = at && (at.offsetNode || at.startContainer);
    const offset = at && (at.offsetNode ? at.offset : at.startOffset);
    const cell = node && node.parentElement && node.parentElement.closest(".wit");
    if (!cell || node.parentElement.closest(".v")) return null;
    for (const word of wordsOf(cell)) if (word.node === node && word.start <= offset && offset <= word.end) return [cell, word.key];
    return null;
  }
  function lightWord(x, y) {
    CSS.highlights.delete("word");
    const found = wordAt(x, y);
    if (!found) return;
    const ranges = [];
    for (const cell of found[0].parentNode.children) {
      for (const word of cell.offsetParent ? wordsOf(cell) : []) {
        if (word.key !== found[1]) continue;
        const range = new Range();
        range.setStart(word.node, word.start);
        range.setEnd(word.node, word.end);
        ranges.push(range);
      }
    }
    if (ranges.length > 1) CSS.highlights.set("word", new Highlight(...ranges));
  }
  let moved = 0;
  if (window.CSS && CSS.highlights) main.addEventListener("pointermove", (event) => {
    cancelAnimationFrame(moved);
    moved = requestAnimationFrame(() => lightWord(event.clientX, event.clientY));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      held = null;
      light(null);
      const menu = document.activeElement.closest && document.activeElement.closest("#tools .menu");
      all("#tools .menu[open]").forEach((m) => { m.open = false; });
      if (menu) menu.querySelector("summary").focus();
    }
    const entry = event.target.closest && event.target.closest(".u");
    const way = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!entry || !way) return;
    const own = all(".u", entry.parentNode).filter((u) => u.offsetParent !== null);
    const next = own[own.indexOf(entry) + way];
    if (next) { next.querySelector("a").focus(); event.preventDefault(); }
  });

  // ------------------------------------------------------------------------- to copy
  async function copy(words, what) {
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      const area = document.createElement("textarea");
      area.value = words;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(what + " copied");
  }

  function link(id) {
    const kept = anchor;
    anchor = id;
    const words = location.href.split("#")[0] + address();
    anchor = kept;
    return words;
  }

  function citation(article) {
    const sides = choice.shown.map((k) => {
      const cell = article.querySelector(`.wit.w${k}:not(.none) h4 span`);
      const numbers = cell && cell.textContent.split(" · law ")[1];
      return numbers ? `${data.sigla[k]} (${data.titles[k]}), law ${numbers}` : "";
    }).filter(Boolean);
    const house = [data.corpus, data.publisher, data.date].filter(Boolean).join(", ");
    return `${data.work}: ${sides.join("; ")}. In: ${house}, ${article.id}. ${link(article.id)}`;
  }

  function entry(article) {
    const own = all(".u", article).filter((u) => getComputedStyle(u).display !== "none" && !u.classList.contains("off"));
    const lines = own.map((unit) => {
      const readings = all(".r:not(.off)", unit).map((r) => {
        const words = r.querySelector("bdi,em").textContent;
        return [words, r.lastElementChild.textContent, r.classList.contains("lem")];
      });
      return readings.map(([words, sigla, lemma]) => words + (lemma ? "] " : " ") + sigla).join(" : ");
    });
    return `${article.id}\n${lines.join("\n")}\n`;
  }

  for (const article of articles) {
    const box = document.createElement("div");
    box.className = "copy";
    const name = article.querySelector("h3 a").textContent;
    for (const [word, make] of [["Cite", citation], ["Apparatus entry", entry], ["Permalink", (a) => link(a.id)]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = word;
      button.setAttribute("aria-label", `${word}: copy for ${name}`);
      button.addEventListener("click", () => copy(make(article), word));
      box.append(button);
    }
    article.querySelector("header").append(box);
    article.querySelector(".texts").classList.add("fit");
  }

  // ------------------------------------------------------------------------ the reader's hand
  function chosen(change) { Object.assign(choice, change); const units = show(); keep(); return units; }
  $("base").addEventListener("change", () => {
    const base = Number($("base").value);
    let shown = choice.shown;
    if (!shown.includes(base)) shown = shown.slice(0, MOST - 1).concat(base).sort((a, b) => a - b);
    chosen({ base, shown });
    say(`Base ${data.sigla[base]}`);
  });
  $("wit").addEventListener("change", () => {
    const shown = witBoxes.filter((b) => b.checked).map((b) => Number(b.value));
    const base = shown.includes(choice.base) ? choice.base : shown[0];
    const units = chosen({ shown, base });
    say(`${shown.length} witnesses, ${units} places of difference`);
  });
  const sifted = () => chosen({ hidden: kindBoxes.filter((b) => !b.checked).map((b) => b.dataset.kind), rule: $("rule").checked });
  $("kinds").addEventListener("change", sifted);
  $("sub").addEventListener("click", () => { kindBoxes.forEach((b) => { b.checked = !ACCIDENTAL.includes(b.dataset.kind); }); sifted(); });
  $("all").addEventListener("click", () => { kindBoxes.forEach((b) => { b.checked = true; }); sifted(); });
  let waiting = 0;
  $("find").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      choice.find = $("find").value;
      sift();
      keep();
      if (choice.find && $("where").getBoundingClientRect().top < 0) $("where").scrollIntoView();
    }, 120);
  });
  document.addEventListener("click", (event) => {
    all("#tools .menu[open]").forEach((m) => { if (!m.contains(event.target)) m.open = false; });
    const jump = event.target.closest && event.target.closest("a[href^='#']");
    if (!jump || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const id = jump.getAttribute("href").slice(1);
    const place = document.getElementById(id);
    if (!place) return;
    event.preventDefault();
    anchor = id;
    history.pushState(null, "", address());
    go(place);
    if (place.matches(".u")) return;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  addEventListener("hashchange", arrive);
  addEventListener("popstate", arrive);
  arrive();
  // The browser goes to a plain address by itself once all is loaded; the place is then shown again our way.
  addEventListener("load", () => requestAnimationFrame(() => {
    const place = anchor && document.getElementById(anchor);
    if (place) go(place);
  }));
})();
