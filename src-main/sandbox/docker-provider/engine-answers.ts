import { z } from 'zod';

/** The fields of the engine's answers that are used; all others are ignored. */

export const VersionAnswer = z.object({
  Version: z.string(),
  Os: z.string(),
  Arch: z.string(),
  KernelVersion: z.string().nullish(),
  Components: z
    .array(z.object({ Name: z.string().nullish(), Version: z.string().nullish() }))
    .nullish(),
});
export type VersionAnswer = z.infer<typeof VersionAnswer>;

export const InfoAnswer = z.object({
  NCPU: z.number(),
  CgroupVersion: z.string().nullish(),
  SecurityOptions: z.array(z.string()).nullish(),
  DefaultRuntime: z.string().nullish(),
  Runtimes: z.record(z.string(), z.unknown()).nullish(),
});
export type InfoAnswer = z.infer<typeof InfoAnswer>;

export const ImageAnswer = z.object({ Id: z.string() });

export const CreateAnswer = z.object({ Id: z.string() });

export const ExecAnswer = z.object({ Running: z.boolean(), ExitCode: z.number().nullish() });

/** The answer to `top`: a row for each process, in the requested columns. */
export const TopAnswer = z.object({ Processes: z.array(z.array(z.string())) });

export const ContainerList = z.array(
  z.object({ Id: z.string(), Labels: z.record(z.string(), z.string()).nullish() }),
);

/** One line of the answer to a build. */
export const BuildLine = z.object({
  stream: z.string().nullish(),
  status: z.string().nullish(),
  error: z.string().nullish(),
});
