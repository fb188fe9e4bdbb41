import { type FamilyContent, fail, type Network, ok, type Result } from "@conclave/custody";
import { algorandTransferSchema } from "./act.ts";

/**
 * The protocol's own accounts, of the main network and of the test network (go-algorand, installer/genesis/{mainnet,testnet}/genesis.json). The
 * protocol alone moves what they hold (data/transactions/payment.go: checkSpender, data/transactions/transaction.go: wellFormed). On
 * another network nobody is known to have their keys. A node names those of its own network: see the family's `judgeRecipient` by
 * the chain. The zero address is no address at all (`parseAlgorandAddress`): the encoding cannot tell it from no receiver.
 */
const PROTOCOL_ACCOUNTS: Readonly<Record<string, string>> = {
  Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA: "the fee sink of the main network",
  "737777777777777777777777777777777777777777777777777UFEJ2CI": "the rewards pool of the main network",
  A7NMWS3NT3IUDMLVO26ULGXGIIOUQ3ND2TXSER6EBGRZNOBOUIQXHIBGDE: "the fee sink of the test network",
  "7777777777777777777777777777777777777777777777777774MSJUVU": "the rewards pool of the test network",
};

/** Refuses an account that the protocol alone pays from. @param which such as "the fee sink of the main network" */
export const unsuitableAlgorand = (to: string, which: string): Result<never> =>
  fail(
    "RecipientUnsuitable",
    { field: "to", why: "protocol-account" },
    `${to} is ${which}: the protocol alone moves what it holds.`,
  );

/** @returns RecipientUnsuitable for an account of the protocol */
export const judgeAlgorandRecipient = (_network: Network, transfer: FamilyContent): Result<void> => {
  const parsed = algorandTransferSchema.safeParse(transfer);
  const which = parsed.success ? PROTOCOL_ACCOUNTS[parsed.data.to] : undefined;
  return parsed.success && which !== undefined ? unsuitableAlgorand(parsed.data.to, which) : ok(undefined);
};
