import { spawn } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { BannerDescription } from "./banner-description.ts";
import { tryThis } from "./try-this.ts";

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
};

/** Answers as gateway and chain node do, and records the requests. */
const startService = async () => {
  const asked: string[] = [];
  const statuses = ["Executing", "Broadcasted", "Confirmed"];
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url} ${await bodyOf(request)}`.trim());
    const answers: Readonly<Record<string, () => unknown>> = {
      "/wallets": () => ({ id: "wa-1", address: "0xabc" }),
      "/wallets/wa-1/transfers": () => ({ id: "xfr-1", status: "Pending" }),
      "/wallets/wa-1/transfers/xfr-1": () => ({ id: "xfr-1", status: statuses.shift() ?? "Confirmed" }),
      "/rpc": () => ({ result: null }),
    };
    response.end(JSON.stringify(answers[request.url ?? ""]?.() ?? { error: "unknown" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, asked, [Symbol.dispose]: () => server.close() };
};

const access = {
  userId: "us-1",
  token: "t.o.k",
  tokenFile: "/dev/null",
  credential: { id: "c", keyFile: "/nowhere" },
};

const described = (url: string): BannerDescription => ({
  state: "/nowhere",
  parameters: "CGGMP24-128",
  threshold: 3,
  networks: [],
  api: { url },
  orchestrator: { url },
  chain: { network: "EthereumSepolia", chainId: 11155111, rpcUrl: `${url}/rpc`, development: true },
  developer: { orgId: "or-1", ...access, serviceAccount: access },
  signers: [],
});

const paste = (lines: readonly string[]): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    const shell = spawn("sh", { stdio: ["pipe", "pipe", "pipe"] });
    const output: Buffer[] = [];
    shell.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    shell.once("close", (code) => resolve({ code, output: Buffer.concat(output).toString("utf8") }));
    shell.stdin.end(`${lines.join("\n")}\n`);
  });

it("the lines to try, run by a POSIX shell, create, fund, send, and read until it is settled", async () => {
  using service = await startService();
  const { code, output } = await paste(tryThis(described(service.url)));
  expect(code).toBe(0);
  expect(output).toContain("Executing\nBroadcasted\nConfirmed\n");
  expect(service.asked[1]).toContain('"method":"anvil_setBalance","params":["0xabc",');
  expect(service.asked[2]).toMatch(/^POST \/wallets\/wa-1\/transfers \{"kind":"Native"/);
});
