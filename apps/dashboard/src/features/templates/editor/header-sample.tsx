import { Upload, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/client';
import { uploadHeaderSample } from '../../../api/upload';
import { Button, Field } from '../../../components/controls';
import type { MediaFormat } from '../shared/template-form';

const MEGABYTE = 1_048_576;
/** Sample files that WhatsApp accepts for each header format. */
const ACCEPTED: Record<MediaFormat, { types: string; name: string; megabytes: number; a: string }> = {
  IMAGE: { types: 'image/jpeg,image/png', name: 'JPEG or PNG', megabytes: 5, a: 'an image' },
  VIDEO: { types: 'video/mp4', name: 'MP4', megabytes: 16, a: 'a video' },
  GIF: { types: 'video/mp4', name: 'MP4', megabytes: 3.5, a: 'a short video' },
  DOCUMENT: { types: 'application/pdf', name: 'PDF', megabytes: 100, a: 'a document' },
};

interface HeaderSampleProps {
  /** Field label, which must be unique in forms with several samples; defaults to “Sample”. */
  label?: string;
  format: MediaFormat;
  /** Whether the draft already has a sample. */
  hasFile: boolean;
  fault: string | undefined;
  onUploaded(sampleId: string): void;
}

interface Progress {
  filename: string;
  /** Uploaded fraction, from 0 to 1. */
  part: number;
}

/** Uploads the sample file that template reviewers see. Shows the progress and a cancel button. */
export function HeaderSample({ label = 'Sample', format, hasFile, fault, onUploaded }: HeaderSampleProps) {
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<Progress>();
  const [uploaded, setUploaded] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => () => running.current?.abort(), []);

  const { types, name, megabytes, a } = ACCEPTED[format];
  const upload = async (file: File): Promise<void> => {
    setRefusal(undefined);
    if (file.size > megabytes * MEGABYTE) return setRefusal(`The file must be at most ${megabytes} MB.`);
    const given = new AbortController();
    running.current = given;
    setProgress({ filename: file.name, part: 0 });
    try {
      const sample = await uploadHeaderSample(file, {
        onProgress: (part) => setProgress({ filename: file.name, part }),
        signal: given.signal,
      });
      if (sample.format !== (format === 'GIF' ? 'VIDEO' : format))
        return setRefusal(`The file is not ${a}. Choose another file.`);
      setUploaded(sample.filename ?? file.name);
      onUploaded(sample.id);
    } catch (error) {
      if (given.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.message);
    } finally {
      if (!given.signal.aborted) setProgress(undefined);
    }
  };
  const cancel = (): void => {
    running.current?.abort();
    setProgress(undefined);
  };

  return (
    <Field
      label={label}
      hint={uploaded ? `${uploaded} uploaded.` : `${name}, at most ${megabytes} MB. Shown to template reviewers.`}
      fault={progress ? undefined : (refusal ?? fault)}
    >
      {(props) => (
        <>
          <input
            {...props}
            ref={input}
            className="sr"
            type="file"
            tabIndex={-1}
            accept={types}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void upload(file);
              target.value = '';
            }}
          />
          {progress ? (
            <div className="row wrap">
              <progress className="progress" value={progress.part} aria-label={`Uploading ${progress.filename}`} />
              <span className="dim small">{Math.round(progress.part * 100)} %</span>
              <Button size="sm" icon={X} onClick={cancel}>
                Cancel upload
              </Button>
            </div>
          ) : (
            <div>
              <Button size="sm" icon={Upload} onClick={() => input.current?.click()}>
                {hasFile ? 'Choose another file' : 'Choose file'}
              </Button>
            </div>
          )}
        </>
      )}
    </Field>
  );
}
