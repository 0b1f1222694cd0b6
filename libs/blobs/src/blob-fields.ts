import { flagField, secret } from '@switchboard/platform';
import { z } from 'zod';

/** The settings of the blob store; the same for every service that shares it. */
export const blobFields = {
  BLOB_STORE: z
    .enum(['local', 's3'])
    .default('local')
    .describe('Where media files and spreadsheets are kept: local (a folder) or s3 (a bucket)'),
  BLOB_DIR: z
    .string()
    .default('.local/blobs')
    .describe(
      'Folder of the media files when BLOB_STORE is local; all replicas of gateway, messaging, templates and jobs must see the same one',
    ),
  BLOB_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of an S3-compatible server; absent for Amazon S3'),
  BLOB_S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  BLOB_S3_BUCKET: z
    .string()
    .optional()
    .describe('Bucket of the media files; it must exist. Required when BLOB_STORE is s3'),
  BLOB_S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("Access key of the bucket; absent to use the machine's own role"),
  BLOB_S3_SECRET_ACCESS_KEY: secret(z.string().optional().describe('Secret of the access key')),
  BLOB_S3_FORCE_PATH_STYLE: flagField(
    false,
    'Put the bucket into the path instead of the host name, as most S3-compatible servers want it (true or false)',
  ),
} as const;

export type BlobConfig = { readonly [Name in keyof typeof blobFields]: z.infer<(typeof blobFields)[Name]> };

/** What is wrong with the settings together, one line each. */
export function blobProblems(config: Partial<BlobConfig>): string[] {
  if (config.BLOB_STORE !== 's3') return [];
  return [
    ...(config.BLOB_S3_BUCKET ? [] : ['BLOB_S3_BUCKET: is required when BLOB_STORE is s3']),
    ...(!config.BLOB_S3_ACCESS_KEY_ID === !config.BLOB_S3_SECRET_ACCESS_KEY
      ? []
      : ['BLOB_S3_ACCESS_KEY_ID, BLOB_S3_SECRET_ACCESS_KEY: one needs the other']),
  ];
}
