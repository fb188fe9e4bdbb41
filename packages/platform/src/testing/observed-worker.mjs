// The compute worker of a test. It reports on a channel which checks it gets, and ends at the check that the test
// chose.
import { parentPort, threadId } from "node:worker_threads";

const { searchParams } = new URL(import.meta.url);
const channel = new BroadcastChannel(searchParams.get("channel"));
channel.unref();

await import("../compute/worker.ts");

parentPort.on("message", (messages) => {
  for (const { kind, session, at } of messages) {
    if (kind !== "check") continue;
    channel.postMessage({ thread: threadId, session, at });
    if (searchParams.get("dieOf") === String(at)) process.exit(1);
  }
});
