import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import type { JavaTronBlock } from "../block.ts";
import { javaTronAccountJson, javaTronNetJson, javaTronResourceJson } from "../java-tron/account-json.ts";
import { javaTronBlockJson } from "../java-tron/block-json.ts";
import { javaTronAssetJson, javaTronContractJson, javaTronParametersJson } from "../java-tron/chain-json.ts";
import { javaTronBlockInfosJson, javaTronInfoJson } from "../java-tron/info-json.ts";
import { javaTronTransactionJson } from "../java-tron/transaction-json.ts";
import {
  confirmedJavaTron,
  type JavaTronView,
  javaTronBlockAt,
  javaTronBooksOf,
  javaTronHead,
} from "../state.ts";
import { javaTronAddressCheck, javaTronAssetPayment, javaTronPayment } from "./build-answers.ts";
import { javaTronConstantCall, javaTronEnergyEstimate, javaTronTrigger } from "./contract-answers.ts";
import { JavaTronBadRequest, type JavaTronRequest } from "./request.ts";
import type { JavaTronNode } from "./running.ts";

/** A node's limit on blocks in one answer. */
const MOST_BLOCKS = 100;

/** Answers a request from the full or the solid view. @throws JavaTronBadRequest */
export type JavaTronAnswer = (
  node: JavaTronNode,
  request: JavaTronRequest,
  view: JavaTronView,
) => LedgerJson | Promise<LedgerJson>;

const NOTHING = {};

/** A block, if the view includes it. */
const shownBlock = (node: JavaTronNode, number: number, view: JavaTronView): JavaTronBlock | undefined =>
  number > javaTronHead(node.host.state, view).number ? undefined : javaTronBlockAt(node.host.state, number);

const blockById = (node: JavaTronNode, id: string, view: JavaTronView): JavaTronBlock | undefined => {
  const block = node.host.state.blocks.findLast((each) => each.id === id);
  return block && shownBlock(node, block.number, view);
};

const shown = (
  node: JavaTronNode,
  { visible }: JavaTronRequest,
  block: JavaTronBlock,
  detail = true,
): LedgerJson => javaTronBlockJson(block, { signature: node.witnessSignature(block), visible, detail });

const blocksBetween = (
  node: JavaTronNode,
  request: JavaTronRequest,
  view: JavaTronView,
  [start, end]: readonly [number, number],
): LedgerJson => {
  const count = Math.max(0, Math.min(end - start, MOST_BLOCKS));
  const blocks = Array.from({ length: count }, (_, at) => shownBlock(node, start + at, view));
  const found = blocks.flatMap((block) => (block === undefined ? [] : [shown(node, request, block)]));
  return found.length > 0 ? { block: found } : NOTHING;
};

const nowBlock: JavaTronAnswer = (node, request, view) =>
  shown(node, request, javaTronHead(node.host.state, view));

const getBlock: JavaTronAnswer = (node, request, view) => {
  const wanted = request.text("id_or_num");
  const detail = request.flag("detail") ?? false;
  if (wanted === "") return shown(node, request, javaTronHead(node.host.state, view), detail);
  const block = /^\d{1,18}$/.test(wanted)
    ? shownBlock(node, Number(wanted), view)
    : blockById(node, wanted.toLowerCase(), view);
  return block === undefined ? NOTHING : shown(node, request, block, detail);
};

const blockByNumber: JavaTronAnswer = (node, request, view) => {
  const block = shownBlock(node, request.number("num"), view);
  return block === undefined ? NOTHING : shown(node, request, block);
};

const latestBlocks: JavaTronAnswer = (node, request, view) => {
  const end = javaTronHead(node.host.state, view).number + 1;
  const count = Math.min(request.number("num"), MOST_BLOCKS);
  return blocksBetween(node, request, view, [Math.max(0, end - count), end]);
};

const account: JavaTronAnswer = ({ host }, request, view) => {
  const address = request.address("address");
  const found = javaTronBooksOf(host.state, view).accounts.get(address);
  return found === undefined ? NOTHING : javaTronAccountJson(address, found, request.visible);
};

/** An account's bandwidth; like a node, it answers for a missing account with an empty object. */
const ofAccount =
  (json: typeof javaTronNetJson): JavaTronAnswer =>
  ({ host }, request, view) => {
    const found = javaTronBooksOf(host.state, view).accounts.get(request.address("address"));
    return found === undefined
      ? NOTHING
      : json(found, host.state.prices, javaTronHead(host.state, view).time);
  };

const transactionById: JavaTronAnswer = ({ host }, request, view) => {
  const id = request.hex("value");
  const found = confirmedJavaTron(host.state, id, view);
  if (found !== undefined) return javaTronTransactionJson(found.submission, request.visible, found.receipt);
  const waiting = host.state.waiting.find(({ submission }) => submission.id === id);
  return view === "latest" && waiting !== undefined
    ? javaTronTransactionJson(waiting.submission, request.visible)
    : NOTHING;
};

const transactionInfo: JavaTronAnswer = ({ host }, request, view) => {
  const found = confirmedJavaTron(host.state, request.hex("value"), view);
  return found === undefined ? NOTHING : javaTronInfoJson(found, found.block);
};

const blockInfos: JavaTronAnswer = (node, request, view) => {
  const block = shownBlock(node, request.number("num"), view);
  return block === undefined ? [] : javaTronBlockInfosJson(block);
};

const assetById: JavaTronAnswer = ({ host }, request, view) => {
  const id = request.text("value");
  const asset = javaTronBooksOf(host.state, view).assets.get(id);
  return asset === undefined ? NOTHING : javaTronAssetJson(id, asset, request.visible);
};

const contract: JavaTronAnswer = ({ host }, request) => {
  const address = request.address("value");
  const found = host.state.books.contracts.get(address);
  return found === undefined ? NOTHING : javaTronContractJson(address, found, request.visible);
};

const contractInfo: JavaTronAnswer = ({ host }, request) => {
  const address = request.address("value");
  const found = host.state.books.contracts.get(address);
  if (found === undefined) return NOTHING;
  const { bytecode: _, ...json } = javaTronContractJson(address, found, request.visible);
  return { smart_contract: json, runtimecode: bytesToHex(found.code) };
};

const pendingIds: JavaTronAnswer = ({ host }) => ({
  txId: host.state.waiting.map(({ submission }) => submission.id),
});

/** The answers that both nodes give, each from its own view. */
export const SHARED_ANSWERS: Readonly<Record<string, JavaTronAnswer>> = {
  getnowblock: nowBlock,
  getblock: getBlock,
  getblockbynum: blockByNumber,
  getblockbyid: (node, request, view) => {
    const block = blockById(node, request.hex("value"), view);
    return block === undefined ? NOTHING : shown(node, request, block);
  },
  getblockbylimitnext: (node, request, view) => {
    const [start, end] = [request.number("startNum"), request.number("endNum")];
    if (start < 0 || end <= start) throw new JavaTronBadRequest("endNum must be above startNum");
    return blocksBetween(node, request, view, [start, end]);
  },
  getblockbylatestnum: latestBlocks,
  getaccount: account,
  gettransactionbyid: transactionById,
  gettransactioninfobyid: transactionInfo,
  gettransactioninfobyblocknum: blockInfos,
  getassetissuebyid: assetById,
  triggerconstantcontract: javaTronConstantCall,
  estimateenergy: javaTronEnergyEstimate,
};

/** The answers that only the full node gives. */
export const FULL_NODE_ANSWERS: Readonly<Record<string, JavaTronAnswer>> = {
  getaccountnet: ofAccount(javaTronNetJson),
  getaccountresource: ofAccount(javaTronResourceJson),
  getchainparameters: ({ host }) => javaTronParametersJson(host.state.prices),
  getcontract: contract,
  getcontractinfo: contractInfo,
  gettransactionlistfrompending: pendingIds,
  getpendingsize: ({ host }) => ({ pendingTransactionSize: host.state.waiting.length }),
  triggersmartcontract: javaTronTrigger,
  createtransaction: javaTronPayment,
  transferasset: javaTronAssetPayment,
  validateaddress: (_, request) => javaTronAddressCheck(request),
};
