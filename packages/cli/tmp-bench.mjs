import { mkdtempSync, chmodSync, readdirSync, readFileSync } from "node:fs";
import { execSync } from "node:child_process";
import { createCluster, forgetState } from "@conclave/testbed";
import { SignerLinks } from "./dist/bench/signer-links.js";
import { messageFigures } from "./dist/bench/message-figures.js";
const state = mkdtempSync("/tmp/frost/state-"); chmodSync(state, 0o755);
const cluster = await createCluster({ state, disposable: true, parameters: process.env.PARAMS ?? "INSECURE-TEST", presignatures: 0, ports: "free", onProgress: () => {} });
const pidOf = () => { for (const p of readdirSync("/proc").filter((n) => /^\d+$/.test(n))) { try { const e = readFileSync(`/proc/${p}/environ`, "utf8"); if (e.includes(state) && e.includes("CONCLAVE_SIGNER_INDEX=1\0")) return p; } catch {} } };
const threads = (pid) => Object.fromEntries(readdirSync(`/proc/${pid}/task`).map((t) => { const s = readFileSync(`/proc/${pid}/task/${t}/stat`, "utf8"); const f = s.slice(s.lastIndexOf(")") + 2).split(" "); return [t, Number(f[11]) + Number(f[12])]; }));
try {
  const links = await SignerLinks.open(cluster);
  const pid = pidOf();
  for (let i = 0; i < Number(process.env.ROUNDS ?? 2); i++) {
    const before = threads(pid);
    const figures = await messageFigures(cluster, links, () => {});
    const after = threads(pid);
    const count = 40 + Number(/(\d+)/.exec("0")[1]);
    const n = 40 + figures.count;
    for (const f of figures) console.log(f.name, f.value.toFixed(2), f.unit, f.note ?? "");
    console.log("threads (10ms ticks)", Object.entries(after).map(([t, v]) => `${t === pid ? "main" : t}:${v - (before[t] ?? 0)}`).filter((x) => !x.endsWith(":0")).join(" "));
  }
  links[Symbol.dispose]();
} finally { await cluster.stop(); try { forgetState(state); } catch {} }
