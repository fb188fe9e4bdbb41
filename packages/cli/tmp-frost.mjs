import { frostFigures } from "./dist/bench/frost-figures.js";
const [s] = await frostFigures(() => {}, new AbortController().signal);
for (const f of s.figures) console.log(f.name, f.value, f.note);
