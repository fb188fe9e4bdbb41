import type { SignedAuthorisation } from "./authorisation.ts";
import { fail, ok, type Problem, type Result } from "./errors.ts";
import type { DomainEvent } from "./event.ts";
import type { KeyId, OrganisationId, WalletId } from "./identifiers.ts";
import type { Network } from "./network.ts";
import type { Requester } from "./requester.ts";
import type { CreateWalletBody } from "./requests.ts";
import { walletView } from "./wallet-view.ts";

interface WalletFacts {
  readonly id: WalletId;
  readonly orgId: OrganisationId;
  readonly keyId: KeyId;
  readonly name: string | undefined;
  readonly network: Network;
  readonly externalId: string | undefined;
  readonly tags: readonly string[];
  readonly requester: Requester;
  readonly requestBody: CreateWalletBody;
  readonly authorisation: SignedAuthorisation;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

/** A wallet whose key the signers have not all activated yet; the API does not show it. */
export interface CreatingWallet extends WalletFacts {
  readonly status: "Creating";
}
export interface ActiveWallet extends WalletFacts {
  readonly status: "Active";
  /** 33-byte compressed SEC1 point in hex, without 0x */
  readonly publicKey: string;
  /** the network's address, with its checksum */
  readonly address: string;
}
/** A wallet that never came to be: kept only to answer its caller and to discard shares. */
export interface FailedWallet extends WalletFacts {
  readonly status: "Failed";
  readonly problem: Problem;
}
export type Wallet = CreatingWallet | ActiveWallet | FailedWallet;

export type WalletEvent =
  | {
      readonly kind: "KeyActivated";
      readonly publicKey: string;
      readonly address: string;
      readonly date: string;
    }
  | { readonly kind: "KeyGenerationFailed"; readonly problem: Problem };

export interface WalletDecision {
  readonly wallet: Wallet;
  readonly events: readonly DomainEvent[];
}

/**
 * Moves a wallet on. Only a wallet that is being created moves; anything else is answered by WalletNotFound, since
 * a settled wallet never changes back.
 *
 * A failed wallet gives up its externalId, so that the caller may repeat the very same request.
 */
export const decideWallet = (wallet: Wallet, event: WalletEvent): Result<WalletDecision> => {
  if (wallet.status !== "Creating") {
    return fail(
      "WalletNotFound",
      { walletId: wallet.id, status: wallet.status },
      "the wallet is settled already",
    );
  }
  switch (event.kind) {
    case "KeyActivated": {
      const active: ActiveWallet = {
        ...wallet,
        status: "Active",
        publicKey: event.publicKey,
        address: event.address,
      };
      const created: DomainEvent = {
        kind: "wallet.created",
        orgId: wallet.orgId,
        entityId: wallet.id,
        date: event.date,
        data: { wallet: walletView(active) },
      };
      return ok({ wallet: active, events: [created] });
    }
    case "KeyGenerationFailed":
      return ok({
        wallet: { ...wallet, status: "Failed", externalId: undefined, problem: event.problem },
        events: [],
      });
  }
};
