import { expect, it } from "vitest";
import { ProcessEnds } from "./end-processes.ts";

const KILL = { kind: "kill", places: [{ kind: "gateway", number: 2 }] } as const;

/** Processes whose starts a test controls, with a record of the actions on them. */
const scripted = () => {
  const done: string[] = [];
  let isUp = true;
  let finish: (error?: Error) => void = () => undefined;
  const ends = new ProcessEnds({
    status: () => [{ name: "gateway-2", state: isUp ? "running" : "exited", pid: 1 }],
    restart: (name) => {
      done.push(`start ${name}`);
      isUp = true;
      return new Promise((resolve, reject) => {
        finish = (error) => {
          done.push("started");
          if (error === undefined) resolve();
          else reject(error);
        };
      });
    },
    kill: async (name) => {
      done.push(`kill ${name}`);
      isUp = false;
    },
    stopProcess: async () => undefined,
    pause: (name) => void done.push(`pause ${name}`),
    resume: (name) => void done.push(`resume ${name}`),
  });
  return { done, ends, finish: (error?: Error) => finish(error) };
};

it("ends no process while it starts", async () => {
  const { done, ends, finish } = scripted();
  const heal = await ends.end(KILL);
  const healed = heal();
  await expect.poll(() => done).toEqual(["kill gateway-2", "start gateway-2"]);
  const again = ends.end(KILL);
  finish();
  await Promise.all([healed, again]);
  expect(done).toEqual(["kill gateway-2", "start gateway-2", "started", "kill gateway-2"]);
});

it("ends a process whose start has failed, and reports the failure to the healing call", async () => {
  const { done, ends, finish } = scripted();
  const healed = (await ends.end(KILL))();
  await expect.poll(() => done).toHaveLength(2);
  const again = ends.end(KILL);
  finish(new Error("no port"));
  await expect(healed).rejects.toThrow("no port");
  await again;
  expect(done.at(-1)).toBe("kill gateway-2");
});

it("starts one that two faults have ended when the second of them heals", async () => {
  const { done, ends, finish } = scripted();
  const [first, second] = [await ends.end(KILL), await ends.end(KILL)];
  await first();
  expect(done).toEqual(["kill gateway-2", "kill gateway-2"]);
  const healed = second();
  await expect.poll(() => done.at(-1)).toBe("start gateway-2");
  finish();
  await healed;
});

it("starts one for the only fault that keeps it down, whether its start succeeds, and none that runs", async () => {
  const { done, ends, finish } = scripted();
  await ends.startAlone("gateway-2");
  expect(done).toEqual([]);
  const [first, second] = [await ends.end(KILL), await ends.end(KILL)];
  await ends.startAlone("gateway-2");
  expect(done).toEqual(["kill gateway-2", "kill gateway-2"]);
  await second();
  const started = ends.startAlone("gateway-2");
  await expect.poll(() => done.at(-1)).toBe("start gateway-2");
  finish(new Error("it refuses its store"));
  await started;
  await first();
  expect(done.slice(3)).toEqual(["started"]);
});

it("resumes one that two faults have paused when the second of them heals", async () => {
  const { done, ends } = scripted();
  const pause = { ...KILL, kind: "pause" } as const;
  const [first, second] = [await ends.end(pause), await ends.end(pause)];
  await second();
  expect(done).toEqual(["pause gateway-2", "pause gateway-2"]);
  await first();
  expect(done.slice(2)).toEqual(["resume gateway-2"]);
});
