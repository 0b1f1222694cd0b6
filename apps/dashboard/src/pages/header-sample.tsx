import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { ApiError, api, must } from '../api/client';
import { Button, Field } from '../kit/controls';
import { useChange } from '../kit/data';
import type { MediaFormat } from './template-form';

/** What the platform takes as the sample of each kind of header. */
const ACCEPTED: Record<MediaFormat, { types: string; hint: string }> = {
  IMAGE: { types: 'image/jpeg,image/png', hint: 'JPEG or PNG, at most 5 MB. Reviewers see it.' },
  VIDEO: { types: 'video/mp4', hint: 'MP4, at most 16 MB. Reviewers see it.' },
  DOCUMENT: { types: 'application/pdf', hint: 'PDF, at most 100 MB. Reviewers see it.' },
};

interface HeaderSampleProps {
  format: MediaFormat;
  fault: string | undefined;
  onUploaded(sampleId: string): void;
}

/** Uploads the file that reviewers see in place of the header. */
export function HeaderSample({ format, fault, onUploaded }: HeaderSampleProps) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useChange(
    async (file: File) => {
      const form = new FormData();
      form.set('file', file);
      const sent = api.POST('/console/v1/templates/header-samples', { body: { file: '' }, bodySerializer: () => form });
      const { sample } = await must(sent);
      if (sample.format !== format)
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `This file is no ${format.toLowerCase()}: choose another one.`);
      return sample;
    },
    { quiet: true },
  );
  const { types, hint } = ACCEPTED[format];
  return (
    <Field
      label="Sample"
      hint={upload.data ? `${upload.data.filename ?? 'The file'} is uploaded.` : hint}
      fault={upload.error?.message ?? fault}
    >
      {(props) => (
        <>
          <input
            {...props}
            ref={input}
            className="sr"
            type="file"
            accept={types}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) upload.mutate(file, { onSuccess: ({ id }) => onUploaded(id) });
              target.value = '';
            }}
          />
          <div>
            <Button size="sm" icon={Upload} isBusy={upload.isPending} onClick={() => input.current?.click()}>
              Choose a file
            </Button>
          </div>
        </>
      )}
    </Field>
  );
}
