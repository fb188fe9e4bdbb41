import { bytesToHex } from "@noble/curves/utils.js";
import { tronAccount } from "../rules/address.ts";

/** An address in the API's form: 41 and 20 bytes in hex. @throws TypeError for an invalid address */
export const tronHexAddress = (address: string): string => `41${bytesToHex(tronAccount(address))}`;
