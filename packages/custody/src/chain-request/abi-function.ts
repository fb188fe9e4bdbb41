import { z } from "zod";

const PARAMETERS_MAX = 64;
const NAME_LENGTH = 128;
const DEPTH_MAX = 4;

/**
 * A type of a parameter. An array of a fixed length has 1 to 99 elements, and a tuple has at least one
 * component: otherwise a contract could claim any number of elements that take no bytes, and a decoder would
 * never end.
 */
const TYPE =
  /^(address|bool|string|tuple|bytes([1-9]|[12][0-9]|3[0-2])?|u?int(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)?)(\[([1-9][0-9]?)?\]){0,3}$/;

export interface AbiParameterBody {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly AbiParameterBody[] | undefined;
}

const name = z
  .string()
  .max(NAME_LENGTH)
  .regex(/^[A-Za-z_$]?[A-Za-z0-9_$]*$/, "is not a name");
const leaf = { name, type: z.string().max(NAME_LENGTH).regex(TYPE, "is not a type of an ABI") };

const parameterOf = (depth: number): z.ZodType<AbiParameterBody> =>
  depth === 0
    ? z.strictObject({ ...leaf, type: leaf.type.refine((type) => !type.startsWith("tuple"), "is too deep") })
    : z
        .strictObject({
          ...leaf,
          components: z
            .array(parameterOf(depth - 1))
            .min(1)
            .max(PARAMETERS_MAX)
            .optional(),
        })
        .refine(
          ({ type, components }) => type.startsWith("tuple") === (components !== undefined),
          "has components exactly where it is a tuple",
        );

const parameters = z.array(parameterOf(DEPTH_MAX)).max(PARAMETERS_MAX);

/** A function of a contract that changes no state, as in the contract's ABI. */
export const abiFunctionSchema = z.strictObject({
  type: z.literal("function"),
  name: name.min(1),
  stateMutability: z.enum(["view", "pure"]),
  inputs: parameters,
  outputs: parameters,
});
export type AbiFunctionBody = z.infer<typeof abiFunctionSchema>;
