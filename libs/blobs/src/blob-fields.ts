import { flagField, secret } from '@switchboard/platform';
import { z } from 'zod';

/** Settings of the blob store, identical for every service that shares it. */
export const blobFields = {
  BLOB_STORE: z
    .enum(['local', 's3'])
    .default('local')
    .describe('Storage of media files and spreadsheets: local (a directory) or s3 (a bucket)'),
  BLOB_DIR: z
    .string()
    .default('.local/blobs')
    .describe(
      'Directory of the media files if BLOB_STORE is local. All replicas of gateway, messaging, templates and jobs must share it',
    ),
  BLOB_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of an S3-compatible server; unset for Amazon S3'),
  BLOB_S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  BLOB_S3_BUCKET: z
    .string()
    .optional()
    .describe('Bucket of the media files, which must exist. Required if BLOB_STORE is s3'),
  BLOB_S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("Access key id for the bucket; unset to use the machine's role"),
  BLOB_S3_SECRET_ACCESS_KEY: secret(z.string().optional().describe('Secret access key for the bucket')),
  BLOB_S3_FORCE_PATH_STYLE: flagField(
    false,
    'Use path-style URLs, with the bucket in the path instead of the host name, as most S3-compatible servers require',
  ),
} as const;

export type BlobConfig = { readonly [Name in keyof typeof blobFields]: z.infer<(typeof blobFields)[Name]> };

/** Returns the conflicts between the settings, one line each. */
export function blobProblems(config: Partial<BlobConfig>): string[] {
  if (config.BLOB_STORE !== 's3') return [];
  return [
    ...(config.BLOB_S3_BUCKET ? [] : ['BLOB_S3_BUCKET: is required when BLOB_STORE is s3']),
    ...(!config.BLOB_S3_ACCESS_KEY_ID === !config.BLOB_S3_SECRET_ACCESS_KEY
      ? []
      : ['BLOB_S3_ACCESS_KEY_ID, BLOB_S3_SECRET_ACCESS_KEY: one needs the other']),
  ];
}
