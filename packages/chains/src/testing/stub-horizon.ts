import { type NodeAnswer, ScriptedNode } from "./scripted-node.ts";

export interface StubTrustline {
  readonly code: string;
  readonly issuer: string;
  readonly balance: bigint;
  readonly limit: bigint;
  readonly buying?: bigint;
  readonly selling?: bigint;
  readonly isAuthorised?: boolean;
}

export interface StubStellarAccount {
  readonly sequence: bigint;
  /** stroops */
  readonly balance: bigint;
  readonly selling?: bigint;
  readonly subentries?: number;
  readonly weight?: number;
  /** weights of its other signers */
  readonly others?: readonly number[];
  readonly threshold?: number;
  readonly data?: Readonly<Record<string, string>>;
  readonly trustlines?: readonly StubTrustline[];
}

/** A transaction in a ledger, as Horizon shows it. */
export interface StubLanded {
  readonly hash: string;
  readonly ledger: number;
  readonly from: string;
  readonly sequence: bigint;
  readonly fee?: bigint;
  readonly succeeded?: boolean;
  readonly effects?: readonly object[];
  /** the payer of a fee bump around it, and the hash of that */
  readonly bumpedBy?: { readonly account: string; readonly hash: string };
}

const DECIMALS = 7;
/** An amount as Horizon writes it. */
const shown = (amount: bigint): string => {
  const digits = amount.toString().padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
};

/** A ledger's hash, 32 bytes of hex. */
export const stubHorizonHash = (sequence: number | bigint): string => sequence.toString(16).padStart(64, "0");

const SECONDS_A_LEDGER = 5;
const FIRST_CLOSED_AT = 2_000_000_000;
const FIRST = 1_000;

/** When a ledger of the stub closed, Unix seconds. */
export const stubClosedAt = (sequence: number, firstClosedAt: number = FIRST_CLOSED_AT): number =>
  firstClosedAt + (sequence - FIRST) * SECONDS_A_LEDGER;

/**
 * A Horizon of a Stellar network that says what a test wants, over HTTP and in its own form. It checks nothing: what a ledger
 * checks is for a ledger to test.
 */
export class StubHorizon {
  readonly #node: ScriptedNode;
  readonly asked: { readonly method: string; readonly path: string }[] = [];
  /** envelopes that were handed over, in base64 */
  readonly posted: string[] = [];
  /** bodies with which its Stellar RPC was asked */
  readonly rpcBodies: string[] = [];
  passphrase = "Test SDF Network ; September 2015";
  ledger = FIRST;
  /** the ledger of the account state; the last one unless a test says otherwise */
  stateLedger: number | undefined;
  saysLedger = true;
  baseFee = 100n;
  usualFee = 100n;
  /** when its first ledger closed, Unix seconds */
  firstClosedAt = FIRST_CLOSED_AT;
  /** how many operations it says that each ledger has; undefined for a Horizon that does not say so */
  operationCount: number | undefined;
  readonly accounts = new Map<string, StubStellarAccount>();
  readonly landed: StubLanded[] = [];
  /** its answer to a transaction */
  verdict: { readonly status: number; readonly body: object } = {
    status: 201,
    body: { tx_status: "PENDING" },
  };
  /** its Stellar RPC's answer to every call */
  simulation: object = { error: { code: -32_601, message: "method not found" } };
  /** answers that come before all others, by the beginning of a path */
  readonly spoilt = new Map<string, NodeAnswer>();
  /** the same by a whole path; undefined leaves the answer to the others */
  answers: (path: string) => NodeAnswer | undefined = () => undefined;

  private constructor() {
    this.#node = new ScriptedNode(async ({ method, path, body: bytes }) => {
      this.asked.push({ method, path });
      const body = Buffer.from(bytes).toString();
      if (path === "/rpc") this.rpcBodies.push(body);
      else if (method === "POST") this.posted.push(new URLSearchParams(body).get("tx") ?? "");
      return this.#ofLedger(this.#answer(method, path));
    });
  }

  static async start(): Promise<StubHorizon> {
    const stub = new StubHorizon();
    await stub.#node.start();
    return stub;
  }

  get url(): string {
    return this.#node.url;
  }

  stop(): Promise<void> {
    return this.#node.stop();
  }

  #ofLedger(answer: NodeAnswer): NodeAnswer {
    if (answer === "silence") return answer;
    const ledger = this.saysLedger ? { "latest-ledger": String(this.stateLedger ?? this.ledger) } : {};
    return { ...answer, headers: { "content-type": "application/hal+json", ...ledger } };
  }

  #answer(method: string, path: string): NodeAnswer {
    const chosen = this.answers(path);
    if (chosen !== undefined) return chosen;
    for (const [beginning, answer] of this.spoilt) if (path.startsWith(beginning)) return answer;
    if (path === "/rpc") return json(200, { jsonrpc: "2.0", id: 1, ...this.simulation });
    if (method === "POST") return json(this.verdict.status, this.verdict.body);
    const [, kind = "", id = "", part] = path.replace(/\?.*$/, "").split("/");
    switch (kind) {
      case "":
        return json(200, { network_passphrase: this.passphrase, history_elder_ledger: 1 });
      case "fee_stats":
        return json(200, {
          last_ledger_base_fee: this.baseFee.toString(),
          fee_charged: { p50: this.baseFee.toString(), p90: this.usualFee.toString() },
        });
      case "ledgers":
        return this.#ledgers(id, part, path);
      case "accounts":
        return part === undefined ? this.#account(id) : this.#recent(id);
      case "transactions":
        return part === "effects" ? this.#effects(id) : this.#transaction(id);
      default:
        return absent();
    }
  }

  #ledgers(id: string, part: string | undefined, path: string): NodeAnswer {
    if (id === "") return page([this.#ledger(this.ledger)]);
    const sequence = Number(id);
    if (sequence < 1 || sequence > this.ledger) return absent();
    if (part === undefined) return json(200, this.#ledger(sequence));
    const { searchParams } = new URL(path, "http://stub");
    const from = Number(searchParams.get("cursor") ?? 0);
    const most = Number(searchParams.get("limit"));
    const held = this.landed.filter(({ ledger }) => ledger === sequence).map(recordOf);
    return page(
      held.map((record, at) => ({ ...record, paging_token: String(at + 1) })).slice(from, from + most),
    );
  }

  #ledger(sequence: number): object {
    const count = this.operationCount === undefined ? {} : { operation_count: this.operationCount };
    return { ...ledgerOf(sequence, this.firstClosedAt), ...count };
  }

  #account(id: string): NodeAnswer {
    const account = this.accounts.get(id);
    if (account === undefined) return absent();
    const { sequence, balance, selling = 0n, subentries, weight = 1, threshold = 0, data = {} } = account;
    const { trustlines = [], others = [] } = account;
    return json(200, {
      account_id: id,
      sequence: sequence.toString(),
      subentry_count: subentries ?? trustlines.length,
      num_sponsoring: 0,
      num_sponsored: 0,
      thresholds: { low_threshold: 0, med_threshold: threshold, high_threshold: 0 },
      signers: [
        { key: id, weight, type: "ed25519_public_key" },
        ...others.map((each, at) => ({ key: `G${at}`, weight: each, type: "ed25519_public_key" })),
      ],
      data,
      balances: [
        ...trustlines.map(lineOf),
        { asset_type: "native", balance: shown(balance), selling_liabilities: shown(selling) },
      ],
    });
  }

  #recent(id: string): NodeAnswer {
    const own = this.landed.filter(({ from, bumpedBy }) => from === id || bumpedBy?.account === id);
    return page(own.map(recordOf).reverse());
  }

  #effects(id: string): NodeAnswer {
    const found = this.landed.find(({ hash }) => hash === id);
    return found === undefined ? absent() : page(found.effects ?? []);
  }

  #transaction(id: string): NodeAnswer {
    const found = this.landed.find(({ hash, bumpedBy }) => hash === id || bumpedBy?.hash === id);
    return found === undefined ? absent() : json(200, recordOf(found));
  }
}

const json = (status: number, body: object): NodeAnswer => ({ status, text: JSON.stringify(body) });
const page = (records: readonly object[]): NodeAnswer =>
  json(200, { _links: { next: { href: "/?cursor=&limit=200&order=asc" } }, _embedded: { records } });
const absent = (): NodeAnswer =>
  json(404, { type: "https://stellar.org/horizon-errors/not_found", title: "Resource Missing", status: 404 });

const ledgerOf = (sequence: number, firstClosedAt: number): object => ({
  sequence,
  hash: stubHorizonHash(sequence),
  prev_hash: stubHorizonHash(sequence - 1),
  closed_at: new Date(stubClosedAt(sequence, firstClosedAt) * 1_000).toISOString().replace(".000Z", "Z"),
  base_fee_in_stroops: 100,
  base_reserve_in_stroops: 5_000_000,
});

const recordOf = ({ hash, ledger, from, sequence, fee = 100n, succeeded = true, bumpedBy }: StubLanded) => ({
  hash: bumpedBy?.hash ?? hash,
  paging_token: ledger.toString(),
  created_at: new Date(stubClosedAt(ledger) * 1_000).toISOString(),
  envelope_xdr: "AAAA",
  ledger,
  successful: succeeded,
  source_account: from,
  source_account_sequence: sequence.toString(),
  fee_account: bumpedBy?.account ?? from,
  fee_charged: fee.toString(),
  ...(bumpedBy === undefined ? {} : { inner_transaction: { hash } }),
});

const lineOf = ({ code, issuer, balance, limit, buying, selling, isAuthorised }: StubTrustline): object => ({
  asset_type: code.length > 4 ? "credit_alphanum12" : "credit_alphanum4",
  asset_code: code,
  asset_issuer: issuer,
  balance: shown(balance),
  limit: shown(limit),
  buying_liabilities: shown(buying ?? 0n),
  selling_liabilities: shown(selling ?? 0n),
  is_authorized: isAuthorised ?? true,
});
