import type { SessionKey } from "@conclave/cluster";
import { describe, expect, test } from "vitest";
import { LiveFirst, type Performed } from "./live-first.ts";
import type { Urgency } from "./messages.ts";

const isKey = (text: string): text is SessionKey => text.length > 0;
const task = (name: string, urgency: Urgency, step = 0) => {
  if (!isKey(name)) throw new Error("no session");
  const sign = { kind: "open-signing", digest: Uint8Array.of(step) } as const;
  return { kind: "task", session: name, urgency, task: sign } as const;
};

const recording = (onTask: (name: string, queue: LiveFirst) => Performed = () => "done") => {
  const done: string[] = [];
  const queue = new LiveFirst((work) => {
    const isSigning = work.kind === "task" && work.task.kind === "open-signing";
    done.push(`${work.session}${isSigning ? work.task.digest[0] : work.kind}`);
    return onTask(work.session, queue);
  });
  return { done, queue };
};

const finished = (queue: LiveFirst) => expect.poll(() => queue.isEmpty).toBe(true);

describe("a worker's tasks", () => {
  test("of live sessions come before those of the background, each session's in order", async () => {
    const { done, queue } = recording();
    queue.push(task("pool", "background", 1));
    queue.push(task("pool", "background", 2));
    queue.push(task("a", "live", 1));
    queue.push(task("b", "live", 1));
    queue.push(task("a", "live", 2));
    await finished(queue);
    expect(done).toEqual(["a1", "b1", "a2", "pool1", "pool2"]);
  });

  test("that arrive while one of the background is done come next", async () => {
    const { done, queue } = recording((name, own) => {
      if (name === "pool") setImmediate(() => own.push(task("live", "live", 9)));
      return "done";
    });
    queue.push(task("pool", "background", 1));
    queue.push(task("pool", "background", 2));
    await expect.poll(() => done.length).toBe(4);
    expect(done.indexOf("live9")).toBeLessThan(3);
  });

  test("that are only begun go on before later background tasks, and after live ones", async () => {
    let pieces = 0;
    const { done, queue } = recording((name, own) => {
      if (name !== "pool" || pieces === 3) return "done";
      pieces += 1;
      if (pieces === 2) own.push(task("a", "live", 1));
      return "begun";
    });
    queue.push(task("pool", "background", 1));
    queue.push(task("other", "background", 2));
    await expect.poll(() => done.length).toBe(6);
    expect(done).toEqual(["pool1", "pool1", "a1", "pool1", "pool1", "other2"]);
  });

  test("of the background get their share while live work never ends, and no more", async () => {
    let live = 20;
    const { done, queue } = recording((name, own) => {
      if (name === "live" && live > 0) {
        live -= 1;
        own.push(task("live", "live"));
      }
      return "done";
    });
    for (const step of [1, 2, 3]) queue.push(task("pool", "background", step));
    queue.push(task("live", "live"));
    await expect.poll(() => done.length).toBe(24);
    const places = done.flatMap((name, at) => (name.startsWith("pool") ? [at] : []));
    expect(places).toEqual([4, 9, 14]);
  });

  test("of a session that is dropped are never done", async () => {
    const { done, queue } = recording();
    queue.push(task("a", "live", 1));
    queue.push(task("pool", "background", 1));
    const [first] = [task("a", "live")];
    queue.drop(first.session);
    await finished(queue);
    await expect.poll(() => done).toEqual(["pool1"]);
  });
});
