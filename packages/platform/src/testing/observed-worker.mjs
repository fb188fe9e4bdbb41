// The compute worker under a test's eyes: it says on a channel which checks it was given, and dies of the one
// that it is told to die of.
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
