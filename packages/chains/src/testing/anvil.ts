import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { createTestClient, http, type TestClient } from "viem";

const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/;
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Makes anvil's finalized block lie two epochs, here two blocks, behind the head. */
const SOON_FINAL = ["--slots-in-an-epoch", "1"];

export interface Anvil {
  readonly rpcUrl: string;
  /** anvil's own methods: balances, mining, reorganisations */
  readonly control: TestClient<"anvil">;
  /** Replaces the last blocks by empty ones; their transactions do not return to the pool. */
  reorganise(depth: number): Promise<void>;
  /** Freezes the node: it accepts connections, but answers nothing. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** The binary inside the platform's package: the wrapper script would be a process between this one and anvil. */
const binary = (): string => {
  const wrapper = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json");
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  return createRequire(wrapper).resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`);
};

/**
 * Starts a fresh in-memory chain on a free port that makes a block for each transaction.
 * @param more further arguments of anvil
 */
export const startAnvil = async (chainId: number, more: readonly string[] = []): Promise<Anvil> => {
  const node = spawn(
    binary(),
    ["--port", "0", "--chain-id", String(chainId), "--accounts", "1", ...SOON_FINAL, ...more],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const port = await new Promise<string>((resolve, reject) => {
    node.on("error", reject);
    node.on("exit", (code) => reject(new Error(`anvil ended with ${code}`)));
    createInterface({ input: node.stdout }).on("line", (line) => {
      const listening = LISTENING.exec(line)?.[1];
      if (listening !== undefined) resolve(listening);
    });
  });
  const rpcUrl = `http://127.0.0.1:${port}`;
  return {
    rpcUrl,
    control: createTestClient({ mode: "anvil", transport: http(rpcUrl) }),
    reorganise: (depth) => call(rpcUrl, "anvil_reorg", [depth, []]),
    freeze: () => node.kill("SIGSTOP"),
    thaw: () => node.kill("SIGCONT"),
    stop: async () => {
      if (node.exitCode !== null || node.signalCode !== null) return;
      const ended = once(node, "exit");
      node.kill("SIGKILL");
      await ended;
    },
  };
};

/** A method that viem has no types for. */
const call = async (rpcUrl: string, method: string, params: readonly unknown[]): Promise<void> => {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const said = await response.text();
  if (said.includes('"error"')) throw new Error(`${method}: ${said}`);
};
