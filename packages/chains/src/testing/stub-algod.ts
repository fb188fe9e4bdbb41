import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A scripted answer: a status and a text, or none, ever. */
export type StubAnswer = { readonly status: number; readonly text: string | Uint8Array } | "silence";

export interface StubAccount {
  readonly amount: bigint;
  readonly least: bigint;
  readonly authority?: string;
  /** by asset id */
  readonly holdings?: Readonly<Record<string, { readonly amount: bigint; readonly isFrozen: boolean }>>;
}

const json = (status: number, body: object): StubAnswer => ({
  status,
  // numbers of 64 bits as a node writes them
  text: JSON.stringify(body, (_key, value) =>
    typeof value === "bigint" ? `\u0000${value}` : value,
  ).replaceAll(/"\\u0000(\d+)"/g, "$1"),
});
const absent = (): StubAnswer => json(404, { message: "failed to retrieve information from the ledger" });

/**
 * A node of an Algorand network that says what a test wants, over HTTP and in the words of algod. It checks nothing: what a
 * ledger checks is for a ledger to test.
 */
export class StubAlgod {
  readonly #server: Server;
  readonly asked: { readonly method: string; readonly path: string; readonly token: string | undefined }[] =
    [];
  /** transactions that it was handed */
  readonly posted: Uint8Array[] = [];
  /** the simulated transactions */
  readonly tried: Uint8Array[] = [];
  /** why a simulated transaction would fail; undefined: it would not */
  failure: string | undefined;
  feeSink = "FEESINK7OJKODAGITWSUNVIDXTZYZ4A3KFEUWGH3CFRJWVHXGNFA6AZTXM";
  rewardsPool = "7777777777777777777777777777777777777777777777777774MSJUVU";
  genesisId = "testnet-v1.0";
  genesisHash = "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=";
  lastRound = 1_000n;
  /** rounds before this one are forgotten, as a node does that is no archive */
  firstRound = 1n;
  leastFee = 1_000n;
  feePerByte = 0n;
  /** ids by round */
  readonly rounds = new Map<bigint, readonly string[]>();
  /** when rounds were made, Unix seconds; of the others the node does not tell it */
  readonly times = new Map<bigint, bigint>();
  /** the node's answers about single transactions, by id */
  readonly pending = new Map<string, object>();
  readonly accounts = new Map<string, StubAccount>();
  readonly assets = new Map<string, object>();
  /** its answer to a transaction; undefined takes it */
  refusal: string | undefined;
  /** the id that it names when it takes one */
  takenId = "";
  /** answers that come before all others, by the beginning of a path */
  readonly spoilt = new Map<string, StubAnswer>();

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = "", url: path = "" } = request;
      const token = request.headers["x-algo-api-token"];
      this.asked.push({ method, path, token: typeof token === "string" ? token : undefined });
      if (method === "POST") {
        (path.includes("/simulate") ? this.tried : this.posted).push(Buffer.concat(chunks));
      }
      say(response, this.#answer(method, path));
    });
  }

  static async start(): Promise<StubAlgod> {
    const stub = new StubAlgod();
    await new Promise<void>((resolve) => stub.#server.listen(0, "127.0.0.1", resolve));
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(method: string, path: string): StubAnswer {
    for (const [beginning, answer] of this.spoilt) if (path.startsWith(beginning)) return answer;
    const [, , kind = "", ...parts] = path.replace(/\?.*$/, "").split("/");
    if (method === "POST" && parts[0] === "simulate") {
      const failure = this.failure === undefined ? {} : { "failure-message": this.failure, "failed-at": [0] };
      return json(200, {
        version: 2,
        "last-round": this.lastRound,
        "txn-groups": [{ "txn-results": [{}], ...failure }],
      });
    }
    if (method === "POST") {
      return this.refusal === undefined
        ? json(200, { txId: this.takenId })
        : json(400, { message: this.refusal });
    }
    switch (kind) {
      case "status":
        return json(200, { "last-round": this.lastRound, "catchup-time": 0 });
      case "transactions":
        return parts[0] === "params" ? this.#params() : this.#pending(parts[1] ?? "");
      case "blocks":
        return this.#block(BigInt(parts[0] ?? 0), parts[1] ?? "");
      case "accounts":
        return this.#account(parts[0] ?? "", parts[2]);
      case "assets":
        return this.#asset(parts[0] ?? "");
      default:
        return absent();
    }
  }

  #params(): StubAnswer {
    return json(200, {
      "consensus-version": "future",
      fee: this.feePerByte,
      "genesis-hash": this.genesisHash,
      "genesis-id": this.genesisId,
      "last-round": this.lastRound,
      "min-fee": this.leastFee,
    });
  }

  #pending(id: string): StubAnswer {
    const found = this.pending.get(id);
    return found === undefined ? absent() : json(200, found);
  }

  #block(round: bigint, part: string): StubAnswer {
    if (round < this.firstRound || round > this.lastRound) return absent();
    if (part === "") {
      const ts = this.times.get(round);
      const prev = `blk-${stubHash(round - 1n)}`;
      return json(200, { block: { rnd: round, prev, fees: this.feeSink, rwd: this.rewardsPool, ts } });
    }
    return part === "hash"
      ? json(200, { blockHash: stubHash(round) })
      : json(200, { blockTxids: this.rounds.get(round) ?? [] });
  }

  /** An account that nobody has paid to is there as well. */
  #account(address: string, assetId: string | undefined): StubAnswer {
    const { amount, least, authority, holdings } = this.accounts.get(address) ?? {
      amount: 0n,
      least: 100_000n,
    };
    if (assetId === undefined) {
      return json(200, {
        address,
        amount,
        "min-balance": least,
        "auth-addr": authority,
        round: this.lastRound,
      });
    }
    const held = holdings?.[assetId];
    return held === undefined
      ? json(404, { message: "account asset info not found" })
      : json(200, {
          "asset-holding": { amount: held.amount, "asset-id": BigInt(assetId), "is-frozen": held.isFrozen },
          round: this.lastRound,
        });
  }

  #asset(assetId: string): StubAnswer {
    const params = this.assets.get(assetId);
    return params === undefined
      ? json(404, { message: "asset does not exist" })
      : json(200, { index: BigInt(assetId), params });
  }
}

const say = (response: ServerResponse, answer: StubAnswer): void => {
  if (answer === "silence") return;
  response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.text);
};

/** A block's hash, in base32 of 32 bytes. */
export const stubHash = (round: bigint): string => {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  return [...round.toString().padStart(52, "0")].map((digit) => digits[Number(digit)] ?? "A").join("");
};
