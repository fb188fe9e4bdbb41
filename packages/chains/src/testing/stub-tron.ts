import { tronHexAddress } from "../tron/node/hex-address.ts";
import { type NodeAnswer, ScriptedNode } from "./scripted-node.ts";

export interface StubTronAccount {
  /** sun */
  readonly balance: bigint;
  readonly isContract?: boolean;
  /** the address whose key alone signs for it, where that is not its own */
  readonly owner?: string;
  /** of TRC-10 tokens, by id */
  readonly tokens?: Readonly<Record<string, bigint>>;
}

/** A node's answer about a landed transaction. */
export interface StubTronLanding {
  readonly height: bigint;
  /** sun */
  readonly fee?: bigint;
  /** how a call ended, such as "OUT_OF_ENERGY"; undefined of a payment */
  readonly result?: string;
  readonly words?: string;
  readonly logs?: readonly object[];
  /** the result of a call, hex */
  readonly returned?: string;
}

const MS_A_BLOCK = 3_000n;
const SOLID_BEHIND = 19n;
/** in 2027: signers do not believe yet that it is over */
const FIRST_TIME_MS = 1_800_000_000_000n;

const json = (body: object): NodeAnswer => ({
  status: 200,
  // numbers of 64 bits as a node writes them
  text: JSON.stringify(body, (_key, value) =>
    typeof value === "bigint" ? `\u0000${value}` : value,
  ).replaceAll(/"\\u0000(-?\d+)"/g, "$1"),
});
const nothing = (): NodeAnswer => json({});

const hexOf = (text: string): string => Buffer.from(text).toString("hex");
const wordOf = (value: bigint): string => value.toString(16).padStart(64, "0");

/** A block's id: its height, and what makes it this chain's. */
export const stubTronBlock = (height: bigint): string =>
  `${height.toString(16).padStart(16, "0")}${"c0".repeat(24)}`;

/** The path of a call, and what it was asked with. */
export interface StubTronAsked {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

/**
 * A node of a TRON network that says what a test wants, over HTTP and in the words of java-tron. It checks nothing: what a
 * ledger checks is for a ledger to test.
 */
export class StubTron {
  readonly #node: ScriptedNode;
  readonly asked: StubTronAsked[] = [];
  /** transactions that were handed over, hex */
  readonly posted: string[] = [];
  /** the id of its first block */
  genesisBlock = "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc";
  height = 1_000n;
  /** of its first block, Unix milliseconds */
  firstTimeMs = FIRST_TIME_MS;
  /** blocks below are forgotten, as a light node does */
  firstHeight = 1n;
  /** ids by height */
  readonly blocks = new Map<bigint, readonly string[]>();
  /** whole transactions by height, as nodes show them, and what they did */
  readonly shown = new Map<bigint, readonly object[]>();
  readonly infos = new Map<bigint, readonly object[]>();
  readonly landed = new Map<string, StubTronLanding>();
  readonly pending = new Set<string>();
  readonly accounts = new Map<string, StubTronAccount>();
  /** the answers of contract calls, by contract and function, as "T….balanceOf(address)" */
  readonly calls = new Map<string, object>();
  readonly tokens = new Map<string, object>();
  readonly prices: Record<string, bigint | undefined> = {
    getTransactionFee: 1_000n,
    getEnergyFee: 100n,
    getCreateNewAccountFeeInSystemContract: 1_000_000n,
    getCreateAccountFee: 100_000n,
    getMaxFeeLimit: 15_000_000_000n,
    getForbidTransferToContract: 1n,
    getAllowTvmCompatibleEvm: 1n,
  };
  resources: object = { freeNetLimit: 600 };
  /** which block it shows in place of the one that it is asked for */
  shownHeight: (height: bigint) => bigint = (height) => height;
  /** whether it shows blocks as if they held nothing */
  hidesTransactions = false;
  /** the id of what it tells of every transaction; undefined is its own */
  shownId: string | undefined;
  /** its answer to a transaction; undefined takes it */
  refusal: { readonly code: string; readonly message: string } | undefined;
  /** the id that it names when it takes one; undefined names none */
  takenId: string | undefined;
  /** answers that come before all others, by the beginning of a path */
  readonly spoilt = new Map<string, NodeAnswer>();
  /** the same by what is asked; undefined leaves the answer to the others */
  answers: (path: string, body: Readonly<Record<string, unknown>>) => NodeAnswer | undefined = () =>
    undefined;

  private constructor() {
    this.#node = new ScriptedNode(async ({ path, headers, body: bytes }) => {
      const body = JSON.parse(Buffer.from(bytes).toString() || "{}");
      const key = headers["tron-pro-api-key"];
      this.asked.push({ path, body, key: typeof key === "string" ? key : undefined });
      return this.#answer(path, body);
    });
  }

  static async start(): Promise<StubTron> {
    const stub = new StubTron();
    await stub.#node.start();
    return stub;
  }

  get url(): string {
    return this.#node.url;
  }

  stop(): Promise<void> {
    return this.#node.stop();
  }

  get solidHeight(): bigint {
    return this.height > SOLID_BEHIND ? this.height - SOLID_BEHIND : 0n;
  }

  /** Unix milliseconds */
  timeOf(height: bigint): bigint {
    return this.firstTimeMs + height * MS_A_BLOCK;
  }

  /** Makes a contract answer a call with words, for some energy. */
  returns(contract: string, selector: string, words: readonly bigint[], energy = 1_000n): void {
    this.calls.set(`${contract}.${selector}`, {
      result: { result: true },
      energy_used: energy,
      constant_result: [words.map(wordOf).join("")],
      transaction: { ret: [{}] },
    });
  }

  /** Makes a contract refuse a call. */
  reverts(contract: string, selector: string, words: string): void {
    const text = hexOf(words);
    this.calls.set(`${contract}.${selector}`, {
      result: { result: true, message: hexOf("REVERT opcode executed") },
      energy_used: 500n,
      constant_result: [
        `08c379a0${wordOf(32n)}${wordOf(BigInt(words.length))}${text.padEnd(Math.ceil(text.length / 64) * 64, "0")}`,
      ],
      transaction: { ret: [{ ret: "FAILED" }] },
    });
  }

  #answer(path: string, body: Readonly<Record<string, unknown>>): NodeAnswer {
    const chosen = this.answers(path, body);
    if (chosen !== undefined) return chosen;
    for (const [beginning, answer] of this.spoilt) if (path.startsWith(beginning)) return answer;
    const [, side = "", method = ""] = path.split("/");
    const text = (field: string): string => String(body[field] ?? "");
    switch (method) {
      case "getblock":
        return this.#block(side, text("id_or_num"), body["detail"] === true);
      case "getaccount":
        return this.#account(text("address"));
      case "getaccountresource":
        return json(this.resources);
      case "getchainparameters":
        return json({ chainParameter: Object.entries(this.prices).map(([key, value]) => ({ key, value })) });
      case "triggerconstantcontract":
        return this.#call(text("contract_address"), text("function_selector"));
      case "getassetissuebyid":
        return json(this.tokens.get(text("value")) ?? {});
      case "gettransactioninfobyid":
        return this.#info(side, text("value"));
      case "gettransactioninfobyblocknum":
        return json([...(this.infos.get(BigInt(text("num"))) ?? [])]);
      case "gettransactionfrompending":
        return this.pending.has(text("value")) ? json({ txID: text("value") }) : nothing();
      case "gettransactionbyid":
        return nothing();
      case "broadcasthex":
        return this.#take(text("transaction"));
      default:
        return { status: 404, text: "" };
    }
  }

  #block(side: string, wanted: string, detail: boolean): NodeAnswer {
    const last = side === "wallet" ? this.height : this.solidHeight;
    const height = this.shownHeight(wanted === "" ? last : BigInt(wanted));
    if (height > last || (height < this.firstHeight && height !== 0n)) return nothing();
    const transactions = [
      ...(this.blocks.get(height) ?? []).map((txID) => ({ txID, raw_data: { contract: [] } })),
      ...(this.shown.get(height) ?? []),
    ];
    const header = {
      number: height,
      txTrieRoot: (transactions.length > 0 ? "7e" : "00").repeat(32),
      timestamp: this.timeOf(height),
      parentHash: height === 0n ? "00".repeat(32) : stubTronBlock(height - 1n),
    };
    return json({
      blockID: height === 0n ? this.genesisBlock : stubTronBlock(height),
      block_header: { raw_data: header },
      ...(detail && transactions.length > 0 && !this.hidesTransactions ? { transactions } : {}),
    });
  }

  #account(hex: string): NodeAnswer {
    const [address, account] = [...this.accounts].find(([each]) => tronHexAddress(each) === hex) ?? [];
    if (address === undefined || account === undefined) return nothing();
    const { balance, isContract = false, owner = address, tokens = {} } = account;
    return json({
      address: hex,
      balance: balance === 0n ? undefined : balance,
      ...(isContract ? { type: "Contract" } : {}),
      owner_permission: {
        permission_name: "owner",
        threshold: 1,
        keys: [{ address: tronHexAddress(owner), weight: 1 }],
      },
      assetV2: Object.entries(tokens).map(([key, value]) => ({ key, value })),
    });
  }

  #call(hex: string, selector: string): NodeAnswer {
    for (const [name, answer] of this.calls) {
      const [contract = ""] = name.split(".");
      if (tronHexAddress(contract) === hex && name === `${contract}.${selector}`) return json(answer);
    }
    const message = hexOf("Contract validate error : No contract or not a valid smart contract");
    return json({ result: { code: "CONTRACT_VALIDATE_ERROR", message } });
  }

  #info(side: string, id: string): NodeAnswer {
    const landing = this.landed.get(id);
    const last = side === "wallet" ? this.height : this.solidHeight;
    if (landing === undefined || landing.height > last) return nothing();
    const { height, fee = 0n, result, words, logs } = landing;
    // a token of the standard returns true
    const { returned = result === "SUCCESS" ? wordOf(1n) : "" } = landing;
    return json({
      id: this.shownId ?? id,
      blockNumber: height,
      blockTimeStamp: this.timeOf(height),
      ...(fee === 0n ? {} : { fee }),
      contractResult: [returned],
      ...(logs === undefined ? {} : { log: logs }),
      receipt: result === undefined ? {} : { result },
      ...(result === undefined || result === "SUCCESS" ? {} : { result: "FAILED" }),
      ...(words === undefined ? {} : { resMessage: hexOf(words) }),
    });
  }

  #take(transaction: string): NodeAnswer {
    this.posted.push(transaction);
    const { refusal, takenId } = this;
    return refusal === undefined
      ? json({
          result: true,
          code: "SUCCESS",
          message: "",
          ...(takenId === undefined ? {} : { txid: takenId }),
        })
      : json({ result: false, txid: takenId ?? "", ...refusal });
  }
}
