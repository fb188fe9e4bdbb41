import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PYTHON_CLIENT, readClientLists, shapeOf } from "../../house/client-operations.ts";
import { servedShapes } from "../../house/operation-table.ts";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import { type CompatWorld, openWorld } from "../compat-world.ts";
import { keyPassage } from "../key-passage.ts";
import { familyOperations } from "../operations/family-operations.ts";
import { keyOperations } from "../operations/key-operations.ts";
import { peopleOperations } from "../operations/people-operations.ts";
import { permissionOperations } from "../operations/permission-operations.ts";
import { policyOperations } from "../operations/policy-operations.ts";
import { recoveryOperations } from "../operations/recovery-operations.ts";
import { signatureOperations } from "../operations/signature-operations.ts";
import { transactionOperations } from "../operations/transaction-operations.ts";
import { transferOperations } from "../operations/transfer-operations.ts";
import { walletOperations } from "../operations/wallet-operations.ts";
import { webhookOperations } from "../operations/webhook-operations.ts";
import { POLL_MS } from "../until.ts";
import { furtherOperations } from "./further-operations.ts";
import { pythonAddressWatches } from "./python-address-watches.ts";
import { pythonBulkWallets } from "./python-bulk-wallets.ts";
import { PythonClient } from "./python-client.ts";
import { pythonCredentials } from "./python-credentials.ts";
import { PythonDriven } from "./python-driven.ts";
import { pythonOnly } from "./python-only.ts";
import { pythonUserGroups } from "./python-user-groups.ts";

/**
 * Operations tested elsewhere: those that are refused, or called by the Python client itself (`further-operations.ts`,
 * `python-only.ts`, `python-credentials.ts`, `python-user-groups.ts`, `python-bulk-wallets.ts`, `python-address-watches.ts`,
 * `provider-logins.ts`).
 */
const ELSEWHERE = [
  "address_watches.create_address_watch",
  "address_watches.delete_address_watch",
  "address_watches.get_address_watch",
  "address_watches.get_address_watch_assets",
  "address_watches.get_address_watch_history",
  "address_watches.list_address_watches",
  "auth.delete_credential",
  "auth.oidc_login_credentials",
  "auth.oidc_login",
  "auth.oidc_login_init",
  "auth.sso_login",
  "auth.sso_login_init",
  "auth.create_service_account_credential",
  "auth.delete_service_account_credential",
  "auth.list_user_groups",
  "auth.create_user_group",
  "auth.get_user_group",
  "auth.update_user_group",
  "auth.delete_user_group",
  "auth.list_user_group_members",
  "auth.add_user_group_members",
  "auth.remove_user_group_members",
  "auth.update_user",
  "networks.reindex_transaction",
  "permissions.delete_permission",
  "wallets.bulk_create_wallets",
  "wallets.get_bulk_wallet_job",
  "wallets.list_bulk_wallet_jobs",
  "wallets.list_bulk_wallet_job_wallets",
];

/**
 * Errors of the library's types: they declare some networks and function outputs as objects, lack the pseudo networks, and
 * demand more fields of audit logs.
 */
const WRONG_TYPES = [
  /\.network is a str$/,
  /^networks\.call_function is a str$/,
  /\.network is Key(ECDSA|EdDSA), none of its values$/,
  /^auth\.get_audit_log\.(date_signed|date_resolved|response_status|response_error) is missing$/,
];

// `make clients`: runs the gate's tests of the npm library with the Python library
let python: PythonClient | undefined;
let driven: PythonDriven | undefined;
let opened: CompatWorld | undefined;
const world = (): CompatWorld => opened ?? expect.fail("the cluster did not start");

beforeAll(async () => {
  python = await PythonClient.start();
  const cluster = await startCluster({
    signers: 3,
    threshold: 2,
    keyImport: "allowed",
    keyExport: "allowed",
    networks: "all",
    pollMs: POLL_MS,
  });
  driven = new PythonDriven(python);
  opened = await openWorld(cluster, driven);
});
afterAll(async () => {
  await opened?.cluster.stop();
  await python?.stop();
});

walletOperations(world);
keyOperations(world);
keyPassage(world);
transferOperations(world);
familyOperations(world);
transactionOperations(world);
signatureOperations(world);
permissionOperations(world);
peopleOperations(world);
recoveryOperations(world);
policyOperations(world);
webhookOperations(world);

furtherOperations(world);
pythonOnly(world, () => python ?? expect.fail("the Python client did not start"));
pythonAddressWatches(world, () => python ?? expect.fail("the Python client did not start"));
pythonBulkWallets(world, () => python ?? expect.fail("the Python client did not start"));
pythonCredentials(world, () => python ?? expect.fail("the Python client did not start"));
pythonUserGroups(world, () => python ?? expect.fail("the Python client did not start"));

describe("the vendor's Python client", () => {
  it("has driven every operation that it has and this service serves", () => {
    const served = servedShapes();
    const own = (readClientLists()[PYTHON_CLIENT] ?? []).filter((each) => served.has(shapeOf(each)));
    const names = own.map(({ area, name }) => `${area}.${name}`);
    const left = names.filter((name) => driven?.driven.has(name) !== true);
    expect(left.toSorted()).toEqual(ELSEWHERE.toSorted());
  });

  it("has got what its types say, but for what they say wrongly", () => {
    expect(driven?.misfits.filter((each) => !WRONG_TYPES.some((known) => known.test(each)))).toEqual([]);
  });
});
