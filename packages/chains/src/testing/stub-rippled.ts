import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { NodeAnswer } from "./scripted-node.ts";

export interface StubXrplAccount {
  /** drops */
  readonly balance: bigint;
  readonly sequence: number;
  /** of the last validated ledger, where that is not the same */
  readonly validatedSequence?: number;
  readonly objects?: number;
  readonly flags?: number;
  /** further members of account_data */
  readonly more?: Readonly<Record<string, string>>;
  readonly signerLists?: readonly object[];
  /** sequences in the queue; undefined stands for a ticket */
  readonly queued?: readonly (number | undefined)[];
}

/** A transaction in a validated ledger. */
export interface StubLanding {
  readonly hash: string;
  readonly account: string;
  readonly sequence: number;
  readonly signature?: string;
  readonly isValidated?: boolean;
}

const callSchema = z.object({ method: z.string(), params: z.tuple([z.record(z.string(), z.unknown())]) });
type Params = Readonly<Record<string, unknown>>;

const PAGE = 2;

const answer = (result: object): NodeAnswer => ({
  status: 200,
  text: JSON.stringify({ result: { status: "success", ...result } }),
});
const refusal = (error: string): NodeAnswer =>
  answer({ status: "error", error, error_message: `${error}, it says` });

/**
 * A server of an XRP Ledger network that says what a test wants, over JSON-RPC and in the words of rippled. It checks nothing:
 * what a ledger checks is for a ledger to test.
 */
export class StubRippled {
  readonly #server: Server;
  readonly asked: { readonly method: string; readonly params: Params }[] = [];
  networkId: number | undefined = 1;
  validated = 1_000;
  reserve = { base: 1_000_000, object: 200_000 };
  fees = { open: "10", least: "10" };
  readonly accounts = new Map<string, StubXrplAccount>();
  /** whether accounts that want it have authorised their payers */
  authorised = false;
  /** its answers about single transactions, by id */
  readonly transactions = new Map<string, object>();
  /** the newest first */
  landed: readonly StubLanding[] = [];
  /** ids by ledger */
  readonly ledgers = new Map<number, readonly string[]>();
  /** its result for a transaction */
  engine: object = { engine_result: "tesSUCCESS" };
  /**
   * its answer to a transaction that it is to try; undefined: it does not know the question, as before
   * version 2.4
   */
  simulation: object | undefined;
  /** answers that come before all others, by method; an empty name stands for every method */
  readonly spoilt = new Map<string, NodeAnswer>();
  /** the same by what is asked; undefined leaves the answer to the others */
  answers: (method: string, params: Params) => NodeAnswer | undefined = () => undefined;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const call = callSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
      const [params] = call.params;
      this.asked.push({ method: call.method, params });
      const chosen = this.answers(call.method, params) ?? this.spoilt.get("");
      say(response, chosen ?? this.spoilt.get(call.method) ?? this.#answer(call.method, params));
    });
  }

  static async start(): Promise<StubRippled> {
    const stub = new StubRippled();
    await new Promise<void>((resolve) => stub.#server.listen(0, "127.0.0.1", resolve));
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The transactions that it was handed, in hex. */
  get submitted(): readonly unknown[] {
    return this.asked.flatMap(({ method, params }) => (method === "submit" ? [params["tx_blob"]] : []));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(method: string, params: Params): NodeAnswer {
    switch (method) {
      case "server_state":
        return answer({ state: this.#state() });
      case "fee":
        return answer({ drops: { minimum_fee: this.fees.least, open_ledger_fee: this.fees.open } });
      case "account_info":
        return this.#account(String(params["account"]), params["ledger_index"] === "validated");
      case "deposit_authorized":
        return answer({ deposit_authorized: this.authorised });
      case "account_tx":
        return this.#landed(Number(params["marker"] ?? 0));
      case "ledger":
        return this.#ledger(
          params["ledger_index"] === "validated" ? this.validated : Number(params["ledger_index"]),
        );
      case "tx": {
        const found = this.transactions.get(String(params["transaction"]));
        return found === undefined ? refusal("txnNotFound") : answer(found);
      }
      case "simulate":
        return this.simulation === undefined ? refusal("unknownCmd") : answer(this.simulation);
      case "submit":
        return answer({ validated_ledger_index: this.validated, ...this.engine });
      default:
        return refusal("unknownCmd");
    }
  }

  #state(): object {
    const { base, object } = this.reserve;
    return {
      ...(this.networkId === undefined ? {} : { network_id: this.networkId }),
      validated_ledger: { seq: this.validated, reserve_base: base, reserve_inc: object },
    };
  }

  #account(address: string, isValidated: boolean): NodeAnswer {
    const found = this.accounts.get(address);
    if (found === undefined) return refusal("actNotFound");
    const { balance, sequence, validatedSequence = sequence, objects = 0, flags = 0, queued = [] } = found;
    return answer({
      account_data: {
        Account: address,
        Balance: balance.toString(),
        Sequence: isValidated ? validatedSequence : sequence,
        OwnerCount: objects,
        Flags: flags,
        ...found.more,
      },
      signer_lists: found.signerLists ?? [],
      ...(isValidated
        ? { ledger_index: this.validated, ledger_hash: stubLedgerHash(this.validated), validated: true }
        : {
            ledger_current_index: this.validated + 1,
            validated: false,
            queue_data: {
              txn_count: queued.length,
              ...(queued.length === 0
                ? {}
                : { transactions: queued.map((seq) => (seq === undefined ? { ticket: 5 } : { seq })) }),
            },
          }),
    });
  }

  #landed(from: number): NodeAnswer {
    const page = this.landed.slice(from, from + PAGE);
    const next = from + PAGE;
    return answer({
      ledger_index_min: 1,
      transactions: page.map(({ hash, account, sequence, signature, isValidated = true }) => ({
        hash,
        validated: isValidated,
        ledger_index: 1,
        tx_json: {
          Account: account,
          Sequence: sequence,
          ...(signature === undefined ? {} : { TxnSignature: signature }),
        },
      })),
      ...(next < this.landed.length ? { marker: next } : {}),
    });
  }

  #ledger(index: number): NodeAnswer {
    if (index > this.validated + 1) return refusal("lgrNotFound");
    return answer({
      ledger_hash: stubLedgerHash(index),
      ledger_index: index,
      validated: index <= this.validated,
      ledger: { parent_hash: stubLedgerHash(index - 1), transactions: this.ledgers.get(index) ?? [] },
    });
  }
}

const say = (response: ServerResponse, said: NodeAnswer): void => {
  if (said === "silence") return;
  response.writeHead(said.status, { "content-type": "application/json" }).end(said.text);
};

/** A ledger's hash. */
export const stubLedgerHash = (index: number): string => index.toString(16).toUpperCase().padStart(64, "0");
