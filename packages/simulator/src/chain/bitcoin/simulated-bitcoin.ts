import { nodesOver } from "@conclave/chains/node";
import { BITCOIN_SIGNET } from "@conclave/chains/testing";
import { networkSchema, type World } from "@conclave/custody";
import { openMemoryBitcoind } from "@conclave/ledgers/bitcoin";
import { address, networks } from "bitcoinjs-lib";
import { readsPsbt } from "../../check/payload/bitcoin/read-psbt.ts";
import { BLOCK_MS, type LaggingViews, type WorldChain } from "../world-chain.ts";
import { COINS_NETWORK } from "../world-networks.ts";
import { fetchOver } from "./fetch-over.ts";

/** Confirmations until a block is final. Faults undo fewer blocks. */
const FINALITY = 3;
/** satoshis: many payments need several coins */
const COIN = 30_000n;
const COINS_EACH = 2;
const COINS_BESIDE = 4;
/** Amounts of payments: the least, and how many steps of one size above it. */
const [AMOUNT_MIN, AMOUNT_STEP, STEPS] = [10_000n, 20_000n, 4];
/** Recipients have these hashes of keys, which nobody else has. */
const RECIPIENTS = 0x1000_0000;
const [HASH_BYTES, NUMBER_BYTES] = [20, 4];
/** testnets share the forms of addresses */
const FORMS = networks.testnet;

const recipient = (number: number): string => {
  const hash = Buffer.alloc(HASH_BYTES);
  hash.writeUInt32BE(RECIPIENTS + number, HASH_BYTES - NUMBER_BYTES);
  return address.toBech32(hash, 0, FORMS.bech32);
};

/** The beginning of all recipients' addresses, and of no key's. */
const RECIPIENT_START: string = recipient(0).slice(0, HASH_BYTES);

/**
 * A Bitcoin chain that makes a block each second, and its nodes.
 * @param seed of the first block
 * @param views says which calls are answered by a node that is behind
 */
export const openSimulatedBitcoin = (world: World, seed: string, views: LaggingViews): WorldChain => {
  const node = openMemoryBitcoind({ nowMs: world.nowMs, chain: "signet", seed, keptMs: views.behindMs });
  const answer = (body: string) => node.answer(body, views.isBehind() ? views.behindMs : 0);
  let isHeld = false;
  world.every(BLOCK_MS, () => {
    if (!isHeld) node.mine();
  });
  const entry = {
    ...BITCOIN_SIGNET,
    network: networkSchema.parse(COINS_NETWORK),
    genesisHash: node.genesisHash,
    finality: FINALITY,
  };
  return {
    entry,
    server: "coins",
    patienceMs: 10_000,
    nodeOver: (link, process) => nodesOver(fetchOver(link, process, answer)).connect(entry),
    controls: {
      height: () => BigInt(node.height()),
      drop: () => node.drop(),
      reorganise: (depth) => node.reorganise(depth),
      hold: (holds) => {
        isHeld = holds;
      },
      refuse: (count, words) => node.refuse(count, words),
    },
    fund: (addresses, payments) => {
      const coins = Array.from({ length: COINS_BESIDE + COINS_EACH * payments }, () => COIN);
      for (const one of addresses) node.fund(one, coins);
      for (let made = 0; made < FINALITY; made += 1) node.mine();
    },
    payment: (number) => ({
      to: recipient(number),
      amount: AMOUNT_MIN + AMOUNT_STEP * BigInt(number % STEPS) + BigInt(number),
    }),
    waiting: () => node.waiting().length,
    landed: () =>
      node
        .paid()
        .flatMap(({ txid, address: to = "" }) =>
          to.startsWith(RECIPIENT_START) ? [{ hash: txid, to }] : [],
        ),
    arrived: async (to) =>
      node.paid().reduce((sum, paid) => (paid.address === to ? sum + paid.amount : sum), 0n),
    readPayload: readsPsbt(FORMS, BigInt(entry.feeCap)),
  };
};
