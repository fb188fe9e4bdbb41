import { z } from "zod";
import { nameText, shortText } from "../text.ts";

const NAME_LENGTH = 100;
const EXTERNAL_ID_LENGTH = 100;
/** longer than any network or protocol: which names are known is checked later, with error codes of its own */
const WORD_LENGTH = 64;
/** standard base64 of a signer's id, which has 32 bytes */
const SIGNER_ID_LENGTH = 88;
/** standard base64 of the encrypted share, in a cluster of 64 signers (wire interface, section C.4) */
const ENVELOPE_LENGTH = 16_384;
/** The largest number of signers of a cluster. */
export const MOST_CLUSTER_SIGNERS = 64;
/** standard base64 of 66 bytes */
const ENCRYPTION_KEY_LENGTH = 88;
const MOST_SCHEMES = 16;

const word = shortText(WORD_LENGTH);

/** The fields that every client's import utility produces (wire interface, section C.6). */
const shares = {
  protocol: word,
  curve: word,
  minSigners: z.int().min(1).max(MOST_CLUSTER_SIGNERS),
  encryptedKeyShares: z
    .array(
      z.strictObject({
        signerId: shortText(SIGNER_ID_LENGTH),
        encryptedKeyShare: shortText(ENVELOPE_LENGTH),
      }),
    )
    .min(1)
    .max(MOST_CLUSTER_SIGNERS),
};

/** The body of POST /keys/import. */
export const importKeyBodySchema = z.strictObject({
  ...shares,
  name: nameText(NAME_LENGTH).optional(),
  masterKey: z.boolean().optional(),
});
export type ImportKeyBody = z.infer<typeof importKeyBodySchema>;

/** The body of POST /wallets/import; older clients always name the wallet. */
export const importWalletBodySchema = z.strictObject({
  ...shares,
  network: word,
  name: nameText(NAME_LENGTH).optional(),
  externalId: shortText(EXTERNAL_ID_LENGTH).optional(),
});
export type ImportWalletBody = z.infer<typeof importWalletBodySchema>;

/** The body of POST /keys/{keyId}/export and /wallets/{walletId}/export (wire interface, section C.8). */
export const exportKeyBodySchema = z.strictObject({
  encryptionKey: shortText(ENCRYPTION_KEY_LENGTH),
  supportedSchemes: z
    .array(z.strictObject({ protocol: word, curve: word }))
    .min(1)
    .max(MOST_SCHEMES),
});
export type ExportKeyBody = z.infer<typeof exportKeyBodySchema>;
