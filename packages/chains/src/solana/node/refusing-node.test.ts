import { expect, it } from "vitest";
import { codeOf } from "../../testing/answers.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import { describeRefusingNode, EMPTY_OBJECT } from "../../testing/conformance/refusing-suite.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  solanaEntryAt,
  solanaRefusal,
} from "../../testing/ledgers/solana-ledger.ts";
import { jsonAnswer, type NodeAnswer } from "../../testing/scripted-node.ts";
import {
  SOLANA_DEVNET,
  SOLANA_MINT,
  SOLANA_SENDER,
  solanaIntent,
  withSolanaSignature,
} from "../../testing/solana-samples.ts";
import { SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import { solanaNetworkSchema } from "../network.ts";
import { solanaHead } from "./blocks.ts";
import { connectSolana } from "./json-rpc.ts";
import { solanaNode } from "./node.ts";

/** More blocks than a transaction may wait, and than its last one needs to become final. */
const BLOCKS_OF_A_LIFE = 190;

let ledger: ScriptedSolanaLedger;

const refused = (code: number, message: string): NodeAnswer => jsonAnswer(solanaRefusal(code, message));

describeRefusingNode({
  open: async () => {
    ledger = await openSolanaLedger();
    const connect = () => solanaNode(solanaEntryAt(ledger.node.url));
    const own = withSolanaSignature(got(await connect().build(solanaIntent())).unsigned);
    await ledger.mine(BLOCKS_OF_A_LIFE);
    return { scripted: ledger.node, connect, intent: solanaIntent(), own, stop: ledger.stop };
  },
  questions: (node) => [
    async () => (await node.arrivals?.(5n, async () => new Set())) ?? expect.fail("it detects none"),
    () => node.describeToken(`Spl:${SOLANA_MINT}`),
    () => node.tokenBalance(SOLANA_SENDER, `Spl:${SOLANA_MINT}`),
    () => node.feeLevels(),
  ],
  nonsense: [
    EMPTY_OBJECT,
    ["answers in another form", jsonAnswer({ jsonrpc: "2.0", id: 1, result: { value: "x" } })],
    ["is in trouble", { status: 503, text: "" }],
    ["is behind", refused(-32_005, "Node is behind")],
    ["refuses the question", refused(-32_602, "Invalid params")],
  ],
  submitting: "sendTransaction",
  asking: "getSlot",
  tooManyMib: 33,
  headWithin: (solanaUrl, timeoutMs) => solanaHead(connectSolana({ ...SOLANA_DEVNET, solanaUrl }, timeoutMs)),
  refusal: (words) => refused(-32_602, words),
  further: (give) => {
    it("is away when it is of another chain, for what is built", async () => {
      ledger.changes("getGenesisHash", () => SOLANA_DEVNET.genesisHash);
      expect(await codeOf(give().node.build(solanaIntent()))).toBe("ServiceUnavailable");
    });

    const answered = (result: string) => ({
      status: 200,
      text: `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5000},"value":${result}}}`,
    });

    it.each([
      ["of 65 bits", `${2n ** 64n}`],
      ["of a million digits", "9".repeat(1_000_000)],
      ["below zero", "-1"],
      ["with a fraction", "1.5"],
    ])("is away when it tells a number %s", async (_, lamports) => {
      const account = `{"lamports":${lamports},"owner":"${SOLANA_TOKEN_PROGRAM}","data":["","base64"]}`;
      ledger.node.spoilt.set("getMultipleAccounts", answered(`[${account}]`));
      const balance = await give().node.balance(SOLANA_SENDER);
      expect(!balance.ok && balance.problem.code).toBe("ServiceUnavailable");
    });

    it("INV-10 does not tell the key in its address, which what stands before it repeats", async () => {
      const path = "/v2/sekret-key-0123456789";
      const away = solanaNode({
        ...SOLANA_DEVNET,
        solanaUrl: `${ledger.node.url}${path}?api-key=sekret-0123456789`,
      });
      const words = `Cannot POST ${path}?api-key=sekret-0123456789`;
      const message = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32_000, message: words } });
      for (const answer of [
        { status: 404, text: words },
        { status: 200, text: message },
      ]) {
        ledger.node.spoilt.set("", answer);
        const head = await away.head();
        expect(!head.ok && head.problem.message).toContain("Cannot POST /v2/");
        expect(JSON.stringify(head)).not.toContain("sekret");
      }
    });

    it("INV-10 has no name or password in its address, which no error would keep to itself", () => {
      const entry = { ...SOLANA_DEVNET, solanaUrl: "https://user:secret@node.example/" };
      const read = solanaNetworkSchema.safeParse(entry);
      expect(read.error?.issues[0]?.path).toEqual(["solanaUrl"]);
      expect(JSON.stringify(read.error?.issues)).not.toContain("secret");
    });
  },
});
