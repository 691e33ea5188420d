package deflate
import ("testing";"fmt")
func TestDbg(t *testing.T) {
	n:=0
	for seed := 1; seed < 30000 && n < 6; seed++ {
		v := recipe(fmt.Sprintf("bytes(%d,32766)", seed))
		text, err := v.make(); if err != nil { t.Fatal(err) }
		c := compressors.Get().(*compressor); c.compress(nil, text)
		{
			sum := uint32(0); for _, f := range c.block.literals { sum += f }
			if sum != 16384 { continue }
			n++
			fmt.Println(v)
			for _, k := range []string{"%d,19,0","%d,0,19","%d,18,0"} {
				w := v + " " + recipe(fmt.Sprintf("ladder("+k+")", seed))
				text, err := w.make(); if err != nil { t.Fatal(err) }
				c.compress(nil, text)
				fmt.Println(w, len(text), c.block.distances, c.block.literals[255:])
			}
		}
	}
}
