import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { check, healthChecks, memoryShares, ofEach } from "./docker.ts";
import { type Row, row } from "./table.ts";
import type { Payer } from "./transfers.ts";

const MEASURED_MS = 180_000;
const TICKS_PER_SECOND = 100;
/** in percent of a core */
const CHECKS_MOST = 1;
const IDLE_MOST = 2;
const CHECKS_OF_EACH = 5;
const TRANSFERS_AT_ONCE = 30;
/** fields of /proc/PID/stat after the name: the CPU times of the process, and of its ended children */
const TIMES = [11, 12, 13, 14];
/** the engine, and the parent processes of what it starts in containers */
const ENGINE = /^(dockerd|containerd|containerd-shim)/;

const ticksOf = async (pid: string): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
  if (!ENGINE.test(name)) return 0;
  const fields = rest.split(" ");
  return TIMES.reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
};

const engineTicks = async (): Promise<number> => {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map(ticksOf))).reduce((sum, ticks) => sum + ticks, 0);
};

const share = (ticks: number, ms: number): number => (100 * ticks * 1_000) / (TICKS_PER_SECOND * ms);
const percent = (number: number): string => `${number.toFixed(2)} %`;
const UNMEASURED = "not measured: the engine does not run on this machine";

/** Runs each container's health check several times, and relates the CPU time to the interval between two checks. */
const checksCost = (): Promise<Row> =>
  row(`health checks cost at most ${CHECKS_MOST} % of a core in all`, async () => {
    if ((await engineTicks()) === 0) return UNMEASURED;
    let sum = 0;
    for (const one of await healthChecks()) {
      const before = await engineTicks();
      for (let count = 0; count < CHECKS_OF_EACH; count += 1) await check(one);
      sum += share((await engineTicks()) - before, CHECKS_OF_EACH * one.everyMs);
    }
    if (sum > CHECKS_MOST) throw new Error(percent(sum));
    return percent(sum);
  });

/** The engine and the processes that it starts in containers, without user requests: health checks, and its own work. */
const idleCost = (): Promise<Row> =>
  row(
    `an engine that nobody asks costs at most ${IDLE_MOST} % of a core, health checks and all`,
    async () => {
      const before = await engineTicks();
      if (before === 0) return UNMEASURED;
      await pause(MEASURED_MS);
      const cost = share((await engineTicks()) - before, MEASURED_MS);
      if (cost > IDLE_MOST) throw new Error(percent(cost));
      return percent(cost);
    },
  );

const memoryUnderLoad = (payer: Payer): Promise<Row> =>
  row(`${TRANSFERS_AT_ONCE} transfers at once: nobody reaches the limit of its memory`, async () => {
    const sent = await Promise.all(Array.from({ length: TRANSFERS_AT_ONCE }, () => payer.send()));
    const during = memoryShares();
    // one after another: all at once would exceed the request limit
    const times: number[] = [];
    for (const confirmed of sent) times.push(await confirmed());
    const shares = [...(await during), ...(await memoryShares())].sort(([, a], [, b]) => b - a);
    const killed = (await ofEach("{{.Name}} {{.State.OOMKilled}}")).filter((line) => line.endsWith("true"));
    if (killed.length > 0) throw new Error(`out of memory: ${killed.join(", ")}`);
    const [name, share] = shares[0] ?? [];
    return `the last confirmed after ${(Math.max(...times) / 1_000).toFixed(1)} s; most has ${name}: ${share} % of it`;
  });

/** The cost of the cluster for its machine. */
export const tryWeight = async (payer: Payer): Promise<readonly Row[]> => [
  await memoryUnderLoad(payer),
  await checksCost(),
  await idleCost(),
];
