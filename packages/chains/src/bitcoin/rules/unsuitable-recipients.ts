import { type FamilyContent, fail, type Network, ok, type Result } from "@conclave/custody";
import { bitcoinTransferSchema } from "./act.ts";
import { bitcoinScript } from "./address.ts";
import { bitcoinScriptBody, bitcoinScriptType } from "./script.ts";

/**
 * Hashes, in hex, of P2PKH addresses used to destroy coins. The hashes were chosen for their look, so nobody has a key for
 * them.
 *
 * Sources: counterparty-core, lib/config.py (UNSPENDABLE_MAINNET and UNSPENDABLE_TESTNET); en.bitcoin.it/wiki/Proof_of_burn
 * (the address of Bitcoin Eater, and that of twenty zero bytes). The same hash is as unspendable on every network, and as
 * P2WPKH.
 */
const BURNT_HASHES: ReadonlyMap<string, string> = new Map([
  ["0000000000000000000000000000000000000000", "1111111111111111111114oLvT2: twenty zero bytes"],
  ["759d6677091e973b9e9d99f19c68fbf43e3f05f9", "1BitcoinEaterAddressDontSendf59kuE"],
  ["818895f3dc2c178629d3d2d8fa3ec4a3f8179821", "1CounterpartyXXXXXXXXXXXXXXXUWLpVr"],
  ["ffffffffffffffffffffffffffffffffffffffff", "1QLbz7JHiBTspS962RLKV8GndWFwi5j6Qr: twenty bytes of ones"],
]);

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const isFilledWith = (bytes: Uint8Array, filling: number): boolean => bytes.every((byte) => byte === filling);

/** Why nobody can use coins sent to this script, or everybody can; undefined for a suitable recipient. */
const whyUnsuitable = (script: Uint8Array): string | undefined => {
  const body = bitcoinScriptBody(script);
  switch (bitcoinScriptType(script)) {
    case "P2A":
      return "it is a pay-to-anchor address: anybody takes what is sent there, without a key";
    case "P2PKH":
    case "P2WPKH": {
      const known = BURNT_HASHES.get(hexOf(body));
      return known === undefined
        ? undefined
        : `nobody has its key: its hash was chosen for its looks, to destroy coins (${known})`;
    }
    case "P2SH":
    case "P2WSH":
    case "P2TR":
      return isFilledWith(body, 0x00) || isFilledWith(body, 0xff)
        ? "nobody has its key or script: it is made of bytes that are all alike"
        : undefined;
    case undefined:
      return undefined;
  }
};

/**
 * Judges a recipient by its type, and by a list of addresses to which nobody has the key.
 * @param transfer as `judgeBitcoinTransfer` returned it
 * @returns RecipientUnsuitable with the reason
 */
export const judgeBitcoinRecipient = (network: Network, transfer: FamilyContent): Result<void> => {
  const { to } = bitcoinTransferSchema.parse(transfer);
  const script = bitcoinScript(network, to);
  const why = script === undefined ? undefined : whyUnsuitable(script);
  return why === undefined
    ? ok(undefined)
    : fail("RecipientUnsuitable", { field: "to", why }, `Nobody could use what is sent to ${to}: ${why}.`);
};
