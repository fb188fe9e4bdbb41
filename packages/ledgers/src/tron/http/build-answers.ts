import { hexToBytes } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { parseJavaTronBase58, parseJavaTronHex } from "../address.ts";
import { javaTronBuiltJson } from "../java-tron/build.ts";
import { JavaTronNotTaken } from "../rules/applied.ts";
import { transferJavaTronAsset } from "../rules/asset.ts";
import { transferJavaTronTrx } from "../rules/transfer.ts";
import { latestJavaTronBlock } from "../state.ts";
import type { JavaTronBuiltAct } from "../transaction/encode.ts";
import type { JavaTronRequest } from "./request.ts";
import type { JavaTronNode } from "./running.ts";

const VALIDATION = /^Contract validate error : /;

/** Builds a transaction that would succeed now; like a node, it answers with the reason if none would. */
const checkedBuild = (
  node: JavaTronNode,
  request: JavaTronRequest,
  act: JavaTronBuiltAct,
  check: () => unknown,
): LedgerJson => {
  try {
    check();
  } catch (error) {
    if (!(error instanceof JavaTronNotTaken)) throw error;
    const words = error.message.replace(VALIDATION, "");
    return {
      Error: `class org.tron.core.exception.ContractValidateException : Contract validate error : ${words}`,
    };
  }
  const build = {
    owner: request.address("owner_address"),
    act,
    feeLimit: 0n,
    permissionId: request.number("Permission_id"),
  };
  return javaTronBuiltJson(node.host.state, build, node.host.now, request.visible);
};

const contextOf = ({ host }: JavaTronNode) => {
  const { number, time } = latestJavaTronBlock(host.state);
  return { prices: host.state.prices, number: number + 1, time, headTime: time };
};

/** /wallet/createtransaction: an unsigned payment of TRX. */
export const javaTronPayment = (node: JavaTronNode, request: JavaTronRequest): LedgerJson => {
  const owner = request.address("owner_address");
  const act = {
    type: "TransferContract",
    to: request.address("to_address"),
    amount: request.amount("amount"),
  } as const;
  return checkedBuild(node, request, act, () =>
    transferJavaTronTrx(node.host.state.books, owner, act, contextOf(node)),
  );
};

/** /wallet/transferasset: an unsigned payment of a TRC-10 asset. */
export const javaTronAssetPayment = (node: JavaTronNode, request: JavaTronRequest): LedgerJson => {
  const owner = request.address("owner_address");
  const assetId = request.visible
    ? request.text("asset_name")
    : new TextDecoder().decode(hexToBytes(request.hex("asset_name")));
  const act = {
    type: "TransferAssetContract",
    to: request.address("to_address"),
    assetId,
    amount: request.amount("amount"),
  } as const;
  return checkedBuild(node, request, act, () =>
    transferJavaTronAsset(node.host.state.books, owner, act, contextOf(node)),
  );
};

/** /wallet/validateaddress: whether a text is an address, and in which form. */
export const javaTronAddressCheck = (request: JavaTronRequest): LedgerJson => {
  const text = request.text("address");
  if (parseJavaTronBase58(text) !== undefined) return { result: true, message: "Base58check format" };
  if (parseJavaTronHex(text) !== undefined) return { result: true, message: "Hex string format" };
  return { result: false, message: "Invalid address" };
};
