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
      ["cancel0fnsOrderPlacement", "POST", "/allocations/cancel-0fns-order-placement"],
      ["createAllocation", "POST", "/allocations"],
      ["createAllocationAction", "POST", "/allocations/{allocationId}/actions"],
      ["createAllocationQuote", "POST", "/allocations/get-0fns-quote"],
      ["getAllocationsInfo", "GET", "/allocations/info"],
      ["getAllocation", "GET", "/allocations/{allocationId}"],
      ["listAllocationActions", "GET", "/allocations/{allocationId}/actions"],
      ["listAllocations", "GET", "/allocations"],
    ],
  },
  {
    reason: "Payins turn money into assets at an outside vendor's bank.",
    operations: [
      ["createPayin", "POST", "/payins"],
      ["createPayinQuote", "POST", "/payins/quote"],
      ["createPayinRecipient", "POST", "/payins/recipients"],
      ["getPayinRecipient", "GET", "/payins/recipients"],
      ["listPayinAccounts", "GET", "/payins/accounts"],
      ["listPayinBalances", "GET", "/payins/balances"],
      ["listPayinOptions", "GET", "/payins/options"],
      ["listPayins", "GET", "/payins"],
      ["getPayin", "GET", "/payins/{payinId}"],
      ["registerPayinAccountAsset", "POST", "/payins/accounts/assets"],
    ],
  },
  {
    reason: "Travel rule messages go through an outside vendor.",
    operations: [["getSumsubTravelRulePublicKey", "GET", "/v2/policies/travel-rule/sumsub/public-key"]],
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
      "It takes a token that a page got by itself, for whatever it was made: employees log in at the organisation's identity provider by POST /auth/login/oidc/init, and end users with a credential.",
    operations: [
      ["createSocialRegistrationChallenge", "POST", "/auth/registration/social"],
      ["socialLogin", "POST", "/auth/login/social"],
    ],
  },
];

const NOT_OF_THIS_CLUSTER: readonly Unserved[] = [
  {
    reason: "Keys are shares at the signers of this cluster, and in no other store.",
    operations: [
      ["cancelFleetOperation", "POST", "/key-stores/{storeId}/fleet-operations/cancel"],
      ["createAddMacUserInput", "POST", "/key-stores/{storeId}/add-mac-user/input"],
      ["createAddProvisionerInput", "POST", "/key-stores/{storeId}/add-provisioner/input"],
      ["createCloneInput", "POST", "/key-stores/{storeId}/clone/input"],
      ["createGenesisInput", "POST", "/key-stores/{storeId}/genesis/input"],
      ["createKeyHarvestInput", "POST", "/key-stores/{storeId}/key-harvest/input"],
      ["createOnchainSignInput", "POST", "/key-stores/{storeId}/onchain-sign/input"],
      ["createProofOfControlInput", "POST", "/key-stores/{storeId}/proof-of-control/input"],
      ["submitAddMacUserOutput", "POST", "/key-stores/{storeId}/add-mac-user/output"],
      ["submitAddProvisionerOutput", "POST", "/key-stores/{storeId}/add-provisioner/output"],
      ["submitCloneOutput", "POST", "/key-stores/{storeId}/clone/output"],
      ["submitGenesisOutput", "POST", "/key-stores/{storeId}/genesis/output"],
      ["submitKeyHarvestOutput", "POST", "/key-stores/{storeId}/key-harvest/output"],
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

const OF_ANOTHER_MODEL: readonly Unserved[] = [
  {
    reason: "The cluster's operators set organisations up, and nothing stands above an organisation.",
    operations: [
      ["addTenantUserGroupMembers", "POST", "/tenant/user-groups/{userGroupId}/members"],
      ["assignTenantPermission", "POST", "/tenant/permissions/{permissionId}/assign"],
      ["createOrg", "POST", "/tenant/orgs"],
      ["createTenantUser", "POST", "/tenant/users"],
      ["createTenantUserGroup", "POST", "/tenant/user-groups"],
      ["deleteTenantUser", "DELETE", "/tenant/users/{userId}"],
      ["deleteTenantUserGroup", "DELETE", "/tenant/user-groups/{userGroupId}"],
      ["exchangeAccessToken", "POST", "/auth/tokens"],
      ["getOrg", "GET", "/tenant/orgs/{orgId}"],
      ["getTenantPermission", "GET", "/tenant/permissions/{permissionId}"],
      ["getTenantUser", "GET", "/tenant/users/{userId}"],
      ["getTenantUserGroup", "GET", "/tenant/user-groups/{userGroupId}"],
      ["inviteTenantUser", "POST", "/auth/users/invite"],
      ["listOrgs", "GET", "/tenant/orgs"],
      ["listTenantPermissions", "GET", "/tenant/permissions"],
      ["listTenantUserGroupMembers", "GET", "/tenant/user-groups/{userGroupId}/members"],
      ["listTenantUserGroups", "GET", "/tenant/user-groups"],
      ["listTenantUsers", "GET", "/tenant/users"],
      ["removeTenantUserGroupMembers", "DELETE", "/tenant/user-groups/{userGroupId}/members"],
      ["revokeTenantPermission", "POST", "/tenant/permissions/{permissionId}/revoke"],
      ["updateOrg", "PUT", "/tenant/orgs/{orgId}"],
      ["updateOrgStatus", "PUT", "/tenant/orgs/{orgId}/status"],
      ["updateTenantUser", "PUT", "/tenant/users/{userId}"],
      ["updateTenantUserGroup", "PUT", "/tenant/user-groups/{userGroupId}"],
    ],
  },
  {
    reason: "A person belongs to one organisation, and names it at a login.",
    operations: [["listAvailableOrgs", "POST", "/auth/login/orgs"]],
  },
  {
    reason:
      "A vault is a ledger of balances, locks and quarantines over many addresses; wallets here have the balance that their chain shows.",
    operations: [
      ["createVault", "POST", "/vaults"],
      ["createVaultAddress", "POST", "/vaults/{vaultId}/addresses"],
      ["createVaultLock", "POST", "/vaults/{vaultId}/locks"],
      ["createVaultTransfer", "POST", "/vaults/{vaultId}/transfers"],
      ["getVault", "GET", "/vaults/{vaultId}"],
      ["getVaultLock", "GET", "/vaults/{vaultId}/locks/{lockId}"],
      ["getVaultQuarantine", "GET", "/vaults/{vaultId}/quarantines/{quarantineId}"],
      ["listVaultAssets", "GET", "/vaults/{vaultId}/assets"],
      ["listVaultBalances", "GET", "/vaults/{vaultId}/balances"],
      ["listVaultHistory", "GET", "/vaults/{vaultId}/history"],
      ["listVaultLocks", "GET", "/vaults/{vaultId}/locks"],
      ["listVaultQuarantines", "GET", "/vaults/{vaultId}/quarantines"],
      ["listVaults", "GET", "/vaults"],
      ["releaseQuarantine", "POST", "/vaults/{vaultId}/quarantines/{quarantineId}/release"],
      ["releaseVaultLock", "POST", "/vaults/{vaultId}/locks/{lockId}/release"],
      ["replaceVaultLock", "POST", "/vaults/{vaultId}/locks/{lockId}/replace"],
      ["tagVault", "PUT", "/vaults/{vaultId}/tags"],
      ["transferVaultLock", "POST", "/vaults/{vaultId}/locks/{lockId}/transfer"],
      ["untagVault", "DELETE", "/vaults/{vaultId}/tags"],
      ["updateVault", "PUT", "/vaults/{vaultId}"],
    ],
  },
  {
    reason: "Blocks are read for movements of assets; other events of contracts are not decoded.",
    operations: [
      ["getAddressWatchBlockchainEvents", "GET", "/address-watches/{addressWatchId}/blockchain-events"],
    ],
  },
];

/** Operations of client libraries that this service does not serve. docs/api.md lists them too; a test compares the two. */
export const UNSERVED: readonly Unserved[] = [...AT_VENDORS, ...NOT_OF_THIS_CLUSTER, ...OF_ANOTHER_MODEL];

/**
 * Answers unserved operations with 501 `OperationNotServed` and the reason. The answer is the same for everybody,
 * before a token or a body is checked, and not in the OpenAPI document.
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
