import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import type { ApiWallet, Cluster } from "@conclave/testbed";
import { z } from "zod";
import type { Figure } from "../figure.ts";
import type { Report } from "../progress.ts";
import { keepBusy, takeSamples, timed } from "../sampling.ts";
import { quantile } from "../statistics.ts";

const WARM_UP = 300;
const SAMPLES = 500;
const LIMIT_MS = 15_000;
const IN_FLIGHT = 16;
const BUSY_MS = 8_000;
const ANY_NUMBER = 1_000_000;

/**
 * Budgets: a read takes 3 ms, the gateway answers 500 reads per second, and a signed user action adds 15 ms to a change.
 */
const READ_BUDGET_MS = 3;
const READS_A_SECOND = 500;
const CHANGE_BUDGET_MS = 15;
const SECOND_MS = 1_000;

const challengeSchema = z.object({ challenge: z.string(), challengeIdentifier: z.string() });
const actionSchema = z.object({ userAction: z.string() });

/** Calls over persistent connections, as a client library does. It avoids `fetch`, whose own time would be measured too. */
class Caller implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  readonly #cluster: Cluster;
  readonly #key: KeyObject;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#key = createPrivateKey(readFileSync(cluster.description.developer.credential.keyFile, "utf8"));
  }

  call(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { api, developer } = this.#cluster.description;
    return new Promise((resolve, reject) => {
      const sent = request(`${api.url}${path}`, {
        method,
        agent: this.#agent,
        headers: {
          authorization: `Bearer ${developer.token}`,
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          ...headers,
        },
      });
      sent.once("error", reject);
      sent.once("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`));
        });
      });
      sent.end(body);
    });
  }

  /** Makes a change as client libraries do: challenge, signature, then the change. */
  async change(method: string, path: string, body: string): Promise<void> {
    const { credential } = this.#cluster.description.developer;
    const begun = await this.call(
      "POST",
      "/auth/action/init",
      JSON.stringify({
        userActionPayload: body,
        userActionHttpMethod: method,
        userActionHttpPath: path,
        userActionServerKind: "Api",
      }),
    );
    const { challenge, challengeIdentifier } = challengeSchema.parse(JSON.parse(begun));
    const clientData = Buffer.from(JSON.stringify({ type: "key.get", challenge }));
    const credentialAssertion = {
      credId: credential.id,
      clientData: clientData.toString("base64url"),
      signature: sign(null, clientData, this.#key).toString("base64url"),
    };
    const signed = await this.call(
      "POST",
      "/auth/action",
      JSON.stringify({ challengeIdentifier, firstFactor: { kind: "Key", credentialAssertion } }),
    );
    const { userAction } = actionSchema.parse(JSON.parse(signed));
    await this.call(method, path, body, { "x-dfns-useraction": userAction });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Measures reads and changes over REST while the whole cluster runs on the same machine. */
export const restFigures = async (
  cluster: Cluster,
  wallet: ApiWallet,
  report: Report,
): Promise<readonly Figure[]> => {
  using caller = new Caller(cluster);
  const path = `/wallets/${wallet.id}`;
  const read = () => caller.call("GET", path);
  let named = 0;
  const name = () => {
    named += 1;
    return JSON.stringify({ name: `bench ${named}` });
  };
  for (let at = 0; at < WARM_UP; at += 1) await read();
  for (let at = 0; at < WARM_UP / 10; at += 1) await caller.change("PUT", path, name());
  const sampling = { count: SAMPLES, limitMs: LIMIT_MS };
  const reads = await takeSamples({ what: "reads over REST", ...sampling }, report, () => timed(read));
  const plain = await takeSamples({ what: "changes over REST", ...sampling }, report, () =>
    timed(() => caller.call("PUT", path, name())),
  );
  const signed = await takeSamples({ what: "signed changes over REST", ...sampling }, report, () =>
    timed(() => caller.change("PUT", path, name())),
  );
  const busy = await keepBusy(read, IN_FLIGHT, { ms: BUSY_MS, count: ANY_NUMBER });
  const p = (samples: readonly { readonly ms: number }[], share: number) =>
    quantile(
      samples.map(({ ms }) => ms),
      share,
    );
  const perSecond = (busy.taken.length / busy.ms) * SECOND_MS;
  return [
    {
      name: "rest.read.p50",
      unit: "ms",
      label: "GET a wallet, p50",
      value: p(reads, 0.5),
      budget: READ_BUDGET_MS,
    },
    { name: "rest.read.p99", unit: "ms", label: "GET a wallet, p99", value: p(reads, 0.99) },
    {
      name: "rest.read.each",
      unit: "ms",
      label: "GET a wallet, time for each at full load",
      value: busy.ms / busy.taken.length,
      budget: SECOND_MS / READS_A_SECOND,
      note: `${Math.round(perSecond)} reads a second, ${IN_FLIGHT} at a time, with caller, database and cluster on the same cores`,
    },
    { name: "rest.change.p50", unit: "ms", label: "PUT a wallet's name, p50", value: p(plain, 0.5) },
    {
      name: "rest.signed-change.p50",
      unit: "ms",
      label: "the same with its two calls that sign the action, p50",
      value: p(signed, 0.5),
      budget: CHANGE_BUDGET_MS,
      note: "challenge, signature, change: one after the other",
    },
  ];
};
