import { Button } from '../../components/controls';

export function SaveButton({ refusal, isBusy, text }: { refusal: string | undefined; isBusy: boolean; text: string }) {
  return (
    <div>
      <Button type="submit" size="sm" refusal={refusal} isBusy={isBusy}>
        {text}
      </Button>
    </div>
  );
}
