import { z } from "zod";
import { nameText, shortText } from "../text.ts";
import { createWalletBodySchema, WALLET_NAME_LENGTH } from "../wallet/wallet-body.ts";

/** longer than an address of any network; `judgeWatchedAddress` judges it, with error codes of its own */
const ADDRESS_LENGTH = 256;

/** The body of POST /address-watches. `judgeNetwork` and `judgeWatchedAddress` judge network and address. */
export const createAddressWatchBodySchema = z.strictObject({
  network: createWalletBodySchema.shape.network,
  address: shortText(ADDRESS_LENGTH),
  name: nameText(WALLET_NAME_LENGTH).optional(),
  externalId: createWalletBodySchema.shape.externalId,
});
export type CreateAddressWatchBody = z.infer<typeof createAddressWatchBodySchema>;
