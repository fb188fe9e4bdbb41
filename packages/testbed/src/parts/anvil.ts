import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DEVELOPMENT_CHAIN_ID } from "../development-network.ts";
import { anvilBinary } from "../host/binaries.ts";
import type { ProcessSpec } from "../host/supervised-process.ts";
import type { StateLayout } from "../state/layout.ts";

const STOP_DEADLINE_MS = 5_000;
/** Seconds between two writes of the state file. Without it anvil writes the file only at a graceful end, not at a crash. */
const STATE_INTERVAL_S = 2;

export interface AnvilPart {
  readonly spec: ProcessSpec;
  readonly url: string;
}

export const prepareAnvil = (layout: StateLayout, port: number, blockTimeSeconds: number): AnvilPart => {
  mkdirSync(layout.chain, { recursive: true, mode: 0o700 });
  const options: Readonly<Record<string, string | number>> = {
    host: "127.0.0.1",
    port,
    "chain-id": DEVELOPMENT_CHAIN_ID,
    "block-time": blockTimeSeconds,
    // with this, "safe" and "finalized" lag by 1 and 2 blocks instead of 32 and 64
    "slots-in-an-epoch": 1,
    state: join(layout.chain, "state.json"),
    "state-interval": STATE_INTERVAL_S,
  };
  return {
    url: `http://127.0.0.1:${port}`,
    spec: {
      name: "anvil",
      command: anvilBinary(),
      args: [...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]), "--quiet"],
      env: { PATH: process.env["PATH"] ?? "", HOME: layout.chain },
      cwd: layout.chain,
      logFile: layout.log("anvil"),
      stopSignal: "SIGTERM",
      stopDeadlineMs: STOP_DEADLINE_MS,
    },
  };
};
