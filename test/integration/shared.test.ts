import { addressWatches } from "./shared/address-watches.ts";
import { bulkWallets } from "./shared/bulk-wallets.ts";
import { commands } from "./shared/commands.ts";
import { followedRequest } from "./shared/followed-request.ts";
import { lyingOrchestrator } from "./shared/lying-orchestrator.ts";
import { policies } from "./shared/policies.ts";
import { refusedCommands } from "./shared/refused-commands.ts";
import { shareOneCluster } from "./shared/shared-cluster.ts";
import { signatures } from "./shared/signatures.ts";
import { strangers } from "./shared/strangers.ts";
import { transactions } from "./shared/transactions.ts";
import { transfers } from "./shared/transfers.ts";

// Tests that stop no process and need no special cluster share one, because its start is costly.
shareOneCluster();

transfers();
followedRequest();
signatures();
policies();
lyingOrchestrator();
strangers();
commands();
refusedCommands();
bulkWallets();
addressWatches();
// last, because it holds blocks back
transactions();
