import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Holders } from "./holders.ts";
import { type Trial, unexpected } from "./trial.ts";

/** The crate accepts the share and auxiliary information of every holder, and derives the same key from them. */
export const acceptedShares = ({ info, byParty }: Holders): readonly Trial[] =>
  [...byParty.values()].map(({ share }) => ({
    name: "takes our share and auxiliary information as its own",
    task: { do: "accept", share },
    flawOf: (answer) => {
      if (answer.kind !== "accepted") return unexpected(answer);
      const isSameKey = secp256k1.Point.fromHex(answer.publicKey.point).equals(info.publicKey);
      const isSameSharing = answer.threshold === info.threshold && answer.parties === info.publicShares.size;
      return isSameKey && isSameSharing ? undefined : "it reads another key in them";
    },
  }));
