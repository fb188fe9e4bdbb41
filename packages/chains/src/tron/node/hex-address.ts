import { bytesToHex } from "@noble/curves/utils.js";
import { tronAccount } from "../rules/address.ts";

/** An address as a node's interface takes it: 41 and its 20 bytes. @throws TypeError for one that was not judged */
export const tronHexAddress = (address: string): string => `41${bytesToHex(tronAccount(address))}`;
