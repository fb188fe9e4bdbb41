import { followFaultOrders } from "@conclave/platform/testing/faults";
import { runGateway } from "../run.ts";

// the ordinary service, in a process that obeys orders of faults
followFaultOrders();
void runGateway((code) => process.exit(code));
