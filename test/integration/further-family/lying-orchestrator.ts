import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChainRequest, DeadTransactions, SignedAuthorisation } from "@conclave/custody";
import { connectSigners } from "@conclave/orchestrator";
import { loadPassphrase, loadSigningKey, type SignerClient } from "@conclave/platform";
import { livesOf } from "@conclave/platform/coordination";
import { vi } from "vitest";
import { PATIENCE_MS } from "../patience.ts";
import { orchestratorConfig, type Premises } from "./cluster.ts";

const SESSION_MS = 60_000;
const LOST = "lost: ";

/** An attacker with the orchestrator's certificate and database access, who requests arbitrary signatures from signers. */
export class LyingOrchestrator {
  readonly #signers: readonly SignerClient[];

  private constructor(signers: readonly SignerClient[]) {
    this.#signers = signers;
  }

  static async open(premises: Premises): Promise<LyingOrchestrator> {
    return new LyingOrchestrator(connectSigners(await orchestratorConfig(premises, 0)));
  }

  /**
   * Asks each pair of signers to sign bytes under a request's authorisation.
   * @param dead a statement that earlier transactions are dead
   * @returns for each pair the signers' replies: the code of a refusal, or the kind of report
   */
  async ask(
    request: ChainRequest,
    unsigned: Uint8Array,
    dead: SignedAuthorisation | undefined,
  ): Promise<readonly (readonly string[])[]> {
    const pairs = this.#signers.flatMap((first, at) =>
      this.#signers.slice(at + 1).map((second) => [first, second] as const),
    );
    const words: (readonly string[])[] = [];
    for (const pair of pairs) words.push(await answerOfPair(pair, request, unsigned, dead));
    return words;
  }

  close(): void {
    for (const signer of this.#signers) signer.close();
  }
}

/** The replies of one pair, which is asked again while a signer of a busy machine does not say which life it is in, or loses a stream. */
const answerOfPair = (...asked: Parameters<typeof askPair>): Promise<readonly string[]> =>
  vi.waitFor(
    async () => {
      const words = await askPair(...asked);
      const isHeard = words.every((word) => word !== "SignerLifeUnknown" && !word.startsWith(LOST));
      if (!isHeard) throw new Error(words.join(", "));
      return words;
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );

/** Asks one pair. A signer that agrees waits for the other, so after a refusal its reply is not awaited. */
const askPair = async (
  pair: readonly SignerClient[],
  { authorisation }: ChainRequest,
  unsigned: Uint8Array,
  dead: SignedAuthorisation | undefined,
): Promise<readonly string[]> => {
  if (authorisation === undefined) throw new Error("the request is not authorised");
  const act: { readonly keyId: string } = JSON.parse(Buffer.from(authorisation.payload).toString("utf8"));
  const session = { session: new Uint8Array(randomBytes(32)), lives: await livesOf(pair) };
  const quorum = pair.map(({ index }) => index);
  const expiresAtMs = Date.now() + SESSION_MS;
  const words = new Map<number, string>();
  const calls: { readonly cancel: () => void }[] = [];
  await new Promise<void>((resolve) => {
    for (const signer of pair) {
      const heard = (word: string, isLast: boolean): void => {
        words.set(signer.index, word);
        if (isLast || words.size === pair.length) resolve();
      };
      calls.push(
        signer.begin(
          session,
          {
            kind: "signing",
            quorum,
            keyId: act.keyId,
            authorisation,
            unsigned,
            presignatures: [],
            dead,
            expiresAtMs,
          },
          {
            report: (said) =>
              said.kind === "refusal"
                ? heard(said.problem.code, true)
                : heard(said.kind, said.kind !== "progress"),
            lost: (reason) => heard(`${LOST}${reason}`, true),
          },
        ),
      );
    }
  });
  for (const call of calls) call.cancel();
  return [...words.values()];
};

/** A toy transaction with another deadline. */
export const withDeadline = (unsigned: Uint8Array, deadlineMs: number): Uint8Array => {
  const transaction: object = JSON.parse(new TextDecoder().decode(unsigned));
  return new TextEncoder().encode(JSON.stringify({ ...transaction, deadlineMs }));
};

/** A statement that a transaction of a request is dead, signed by any key. */
export const statementBy = (
  key: KeyObject,
  { id, network }: ChainRequest,
  unsigned: Uint8Array,
): SignedAuthorisation => {
  const statement: DeadTransactions = {
    version: 1,
    kind: "dead-transactions",
    requestId: id,
    network,
    transactions: [createHash("sha256").update(unsigned).digest("hex")],
    dateRequested: new Date().toISOString(),
  };
  const payload = new Uint8Array(Buffer.from(JSON.stringify(statement)));
  return { payload, signature: new Uint8Array(sign(null, payload, key)) };
};

/** A key other than the authority's. */
export const strangersKey = (): KeyObject => generateKeyPairSync("ed25519").privateKey;

/** The authority's own key: it signs what a gateway would state if it believed a chain whose clock is ahead. */
export const authorityKey = async ({ layout }: Premises): Promise<KeyObject> => {
  const passphrase = await loadPassphrase({ keyFile: join(layout.gateway, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const key = loadSigningKey(readFileSync(join(layout.gateway, "authority.key"), "utf8"), passphrase.value);
  if (!key.ok) throw new Error(key.problem.message);
  return key.value;
};
