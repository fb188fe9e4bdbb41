import { describeFound } from "./describe-found.ts";

describeFound("Evm");
