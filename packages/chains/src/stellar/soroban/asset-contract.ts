import { concatBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { stellarContractAddress } from "../rules/address.ts";
import type { StellarToken } from "../rules/asset.ts";
import { writeAsset } from "../xdr/asset.ts";
import { wordXdr } from "../xdr/xdr-write.ts";

/** ENVELOPE_TYPE_CONTRACT_ID */
const CONTRACT_ID = 8;
/** CONTRACT_ID_PREIMAGE_FROM_ASSET */
const FROM_ASSET = 1;

/**
 * The contract that represents an asset of Stellar's own ledger to other contracts (CAP-46-06): its id is the hash of chain and
 * asset.
 * @param token undefined: lumens
 * @returns its strkey, C…
 */
export const assetContractOf = (passphrase: string, token: StellarToken | undefined): string =>
  stellarContractAddress(
    sha256(
      concatBytes(
        wordXdr(CONTRACT_ID),
        sha256(utf8ToBytes(passphrase)),
        wordXdr(FROM_ASSET),
        writeAsset(token),
      ),
    ),
  );
