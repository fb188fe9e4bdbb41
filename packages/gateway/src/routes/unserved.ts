import { problem } from "@conclave/custody";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { GatewayEnv } from "../dependencies.ts";
import { renderProblem } from "../http/problem-response.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Operations of client libraries that are not served, for one reason, each with its name there, its method and its path. */
interface Unserved {
  readonly reason: string;
  readonly operations: readonly (readonly [name: string, method: Method, path: string])[];
}

const AT_VENDORS: readonly Unserved[] = [
  {
    reason: "Staking goes through validators with whom an outside vendor has contracts.",
    operations: [
      ["createStake", "POST", "/staking/stakes"],
      ["createStakeAction", "POST", "/staking/stakes/{stakeId}/actions"],
      ["getStakeRewards", "GET", "/staking/stakes/{stakeId}/rewards"],
      ["getStakes", "GET", "/staking/stakes/{stakeId}"],
      ["listStakeActions", "GET", "/staking/stakes/{stakeId}/actions"],
      ["listStakes", "GET", "/staking/stakes"],
    ],
  },
  {
    reason: "Swaps are quoted and filled by an outside vendor.",
    operations: [
      ["createSwap", "POST", "/swaps"],
      ["createSwapQuote", "POST", "/swaps/quotes"],
      ["getSwap", "GET", "/swaps/{swapId}"],
      ["getSwapQuote", "GET", "/swaps/quotes/{quoteId}"],
      ["listSwaps", "GET", "/swaps"],
    ],
  },
  {
    reason: "An account at an exchange is the exchange's to keep.",
    operations: [
      ["createDeposit", "POST", "/exchanges/{exchangeId}/accounts/{accountId}/deposits"],
      ["createExchange", "POST", "/exchanges"],
      ["createWithdrawal", "POST", "/exchanges/{exchangeId}/accounts/{accountId}/withdrawals"],
      ["deleteExchange", "DELETE", "/exchanges/{exchangeId}"],
      ["getExchange", "GET", "/exchanges/{exchangeId}"],
      ["listAccountAssets", "GET", "/exchanges/{exchangeId}/accounts/{accountId}/assets"],
      ["listAccounts", "GET", "/exchanges/{exchangeId}/accounts"],
      [
        "listAssetWithdrawalNetworks",
        "GET",
        "/exchanges/{exchangeId}/accounts/{accountId}/assets/{asset}/withdrawal-networks",
      ],
      ["listExchanges", "GET", "/exchanges"],
    ],
  },
  {
    reason: "Payouts turn assets into money at an outside vendor's bank.",
    operations: [
      ["createPayout", "POST", "/payouts"],
      ["createPayoutAction", "POST", "/payouts/{payoutId}/action"],
      ["createPayoutQuote", "POST", "/payouts/quote"],
      ["getPayout", "GET", "/payouts/{payoutId}"],
      ["listPayouts", "GET", "/payouts"],
    ],
  },
  {
    reason: "Allocations are investments with an outside vendor.",
    operations: [
      ["createAllocation", "POST", "/allocations"],
      ["createAllocationAction", "POST", "/allocations/{allocationId}/actions"],
      ["getAllocation", "GET", "/allocations/{allocationId}"],
      ["listAllocationActions", "GET", "/allocations/{allocationId}/actions"],
      ["listAllocations", "GET", "/allocations"],
    ],
  },
  {
    reason: "There is no vendor here whose terms would be accepted.",
    operations: [
      ["getLatestUnacceptedAgreement", "GET", "/agreements/latest-unaccepted"],
      ["recordAgreementAcceptance", "POST", "/agreements/{agreementId}/accept"],
    ],
  },
  {
    reason:
      "It needs an identity provider outside of this cluster: people log in with credentials of their own here.",
    operations: [
      ["createSocialRegistrationChallenge", "POST", "/auth/registration/social"],
      ["socialLogin", "POST", "/auth/login/social"],
      ["ssoLogin", "POST", "/auth/login/sso"],
      ["ssoLoginInit", "POST", "/auth/login/sso/init"],
    ],
  },
];

const NOT_OF_THIS_CLUSTER: readonly Unserved[] = [
  {
    reason: "Keys are shares at the signers of this cluster, and in no other store.",
    operations: [
      ["createCloneInput", "POST", "/key-stores/{storeId}/clone/input"],
      ["createGenesisInput", "POST", "/key-stores/{storeId}/genesis/input"],
      ["createOnchainSignInput", "POST", "/key-stores/{storeId}/onchain-sign/input"],
      ["createProofOfControlInput", "POST", "/key-stores/{storeId}/proof-of-control/input"],
      ["submitCloneOutput", "POST", "/key-stores/{storeId}/clone/output"],
      ["submitGenesisOutput", "POST", "/key-stores/{storeId}/genesis/output"],
      ["submitOnchainSignOutput", "POST", "/key-stores/{storeId}/onchain-sign/output"],
      ["submitProofOfControlOutput", "POST", "/key-stores/{storeId}/proof-of-control/output"],
    ],
  },
  {
    reason: "Canton is not among the chains that are served.",
    operations: [
      ["acceptOffer", "PUT", "/wallets/{walletId}/offers/{offerId}/accept"],
      ["activateWallet", "POST", "/wallets/{walletId}/activate"],
      ["cantonLedgerApiProxy", "POST", "/wallets/{walletId}/canton/ledger-api"],
      ["createCantonValidator", "POST", "/networks/{network}/validators"],
      ["deleteCantonValidator", "DELETE", "/networks/{network}/validators/{validatorId}"],
      ["getCantonValidator", "GET", "/networks/{network}/validators/{validatorId}"],
      ["getOffer", "GET", "/wallets/{walletId}/offers/{offerId}"],
      ["listCantonValidators", "GET", "/networks/{network}/validators"],
      ["listOffers", "GET", "/wallets/{walletId}/offers"],
      ["rejectOffer", "PUT", "/wallets/{walletId}/offers/{offerId}/reject"],
      ["updateCantonValidator", "PUT", "/networks/{network}/validators/{validatorId}"],
    ],
  },
  {
    reason:
      "Its output is a secret that a Diffie-Hellman key gives of a seed (GLOW20), a protocol that the signers do not run.",
    operations: [["deriveKey", "POST", "/keys/{keyId}/derive"]],
  },
  {
    reason:
      "Each wallet pays its own fees: signers read and sign no transaction that another account pays for.",
    operations: [
      ["activateFeeSponsor", "PUT", "/fee-sponsors/{feeSponsorId}/activate"],
      ["createFeeSponsor", "POST", "/fee-sponsors"],
      ["deactivateFeeSponsor", "PUT", "/fee-sponsors/{feeSponsorId}/deactivate"],
      ["deleteFeeSponsor", "DELETE", "/fee-sponsors/{feeSponsorId}"],
      ["getFeeSponsor", "GET", "/fee-sponsors/{feeSponsorId}"],
      ["listFeeSponsors", "GET", "/fee-sponsors"],
      ["listSponsoredFees", "GET", "/fee-sponsors/{feeSponsorId}/fees"],
    ],
  },
];

/** What client libraries may ask for and this service does not do. docs/api.md shows it; a test holds the two together. */
export const UNSERVED: readonly Unserved[] = [...AT_VENDORS, ...NOT_OF_THIS_CLUSTER];

/**
 * Answers what is not served with 501 `OperationNotServed` and the reason. It says the same to everybody, before a token or a body is
 * looked at, and is no part of the OpenAPI document.
 */
export const refuseUnserved = (app: OpenAPIHono<GatewayEnv>): void => {
  for (const { reason, operations } of UNSERVED) {
    for (const [operation, method, path] of operations) {
      app.on(method, path.replace(/\{(\w+)\}/g, ":$1"), (c) =>
        renderProblem(c, problem("OperationNotServed", { operation, reason }, reason)),
      );
    }
  }
};
